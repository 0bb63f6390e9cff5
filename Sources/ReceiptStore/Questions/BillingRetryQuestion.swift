import GRDB
import Subscriptions

extension Asking {
  func billingRetry() throws -> BillingRetryFigures {
    var figures = BillingRetryFigures()
    var products: [ProductID: Int] = [:]
    for group in try failingGroups() {
      if group.state == .grace {
        figures.grace.lines += group.lines
        group.monthly.map { figures.atRiskMrr.grace.add($0) }
      } else {
        figures.lines += group.lines
        group.monthly.map { figures.atRiskMrr.billingRetry.add($0) }
        products[group.product, default: 0] += group.lines
      }
    }
    figures.byProduct = BillingRetryFigures.sorted(
      products.map { BillingRetryFigures.ByProduct(productId: $0, lines: $1) })
    // An overview lists none, and counts no users.
    guard question.panel == .billingRetry else { return figures }
    (figures.users, figures.grace.users) = try users()
    figures.rows = try entries()
    return figures
  }

  private func failingGroups() throws -> [FailingGroup] {
    if let tallied {
      return tallied.standing.groups(question).compactMap { group in
        let state = group.detail.state
        guard state == .grace || state == .billingRetry else { return nil }
        return FailingGroup(product: group.product, state: state, monthly: group.monthly, lines: group.lines)
      }
    }
    return try rows(
      """
      SELECT product_id, state, sum(monthly_micros), currency, count(*) FROM (\(failing))
      GROUP BY product_id, state, currency
      """
    ).compactMap { row in
      guard let state = row[1] as LineState? else { return nil }
      return FailingGroup(
        product: row[0], state: state, monthly: row.money(micros: 2, currency: 3), lines: row[4])
    }
  }

  /// Those that fail at `:t`.
  private var failing: String {
    guard tallied == nil else { return failingNow }
    return "SELECT * FROM (\(judged)) WHERE state IN ('grace', 'billing_retry') AND \(product("product_id"))"
  }

  /// METRICS §2, User: of the receipts that hold the line, or the chain where the app gave none.
  private func users() throws -> (billingRetry: Int, grace: Int) {
    if let tallied, question.products.isEmpty {
      let users = try tallied.holders(self)
      return (users[.billingRetry] ?? 0, users[.grace] ?? 0)
    }
    let rows = try rows(
      """
      SELECT f.state, count(DISTINCT nullif(q.app_user_id, '')) + count(DISTINCT iif(
        ifnull(q.app_user_id, '') = '' AND NOT EXISTS (
          SELECT 1 FROM receipt_chains o JOIN receipts p ON p.id = o.receipt_id
          WHERE o.chain_id = f.chain_id AND p.app_user_id <> ''), f.original_transaction_id, NULL))
      FROM (\(failing)) AS f
        LEFT JOIN receipt_chains k ON k.chain_id = f.chain_id
        LEFT JOIN receipts q ON q.id = k.receipt_id
      GROUP BY f.state
      """)
    let counts = Dictionary(rows.map { ($0[0] as LineState?, $0[1] as Int) }, uniquingKeysWith: +)
    return (counts[.billingRetry] ?? 0, counts[.grace] ?? 0)
  }

  /// The same from their spells: what the users are counted from.
  private var failingNow: String {
    """
    SELECT l.chain_id, c.original_transaction_id, k.detail AS state
    FROM failings f JOIN tally_keys k ON k.id = f.key_id CROSS JOIN lines l ON l.id = f.line_id
      CROSS JOIN chains c ON c.id = l.chain_id
    WHERE f.until_ms > :t AND f.from_ms <= :t AND \(environment("k.environment")) AND \(product("k.product_id"))
    """
  }

  /// The newest in billing retry, found from the last period that came due backwards. Those of the same instant as the last one
  /// that there is room for are all found, to be put in order.
  private var newest: String {
    guard tallied != nil else { return "SELECT * FROM (\(failing)) WHERE state = 'billing_retry'" }
    let found = """
      failings f INDEXED BY failings_expires CROSS JOIN tally_keys k ON k.id = f.key_id
      WHERE f.expires_date_ms <= :t AND f.until_ms > :t AND f.from_ms <= :t
        AND k.detail = '\(LineState.billingRetry.rawValue)'
        AND \(environment("k.environment")) AND \(product("k.product_id"))
      """
    return """
      SELECT l.chain_id, c.original_transaction_id, f.product_id, f.expires_date_ms
      FROM (SELECT f.line_id, f.expires_date_ms, k.product_id FROM \(found)
          AND f.expires_date_ms >= ifnull((SELECT min(expires_date_ms) FROM (
            SELECT f.expires_date_ms FROM \(found) ORDER BY f.expires_date_ms DESC LIMIT :limit)), 0)) AS f
        CROSS JOIN lines l ON l.id = f.line_id CROSS JOIN chains c ON c.id = l.chain_id
      """
  }

  private func entries() throws -> [BillingRetryFigures.Entry] {
    try rows(
      """
      SELECT original_transaction_id, product_id, expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = failing.chain_id AND q.app_user_id <> ''
          ORDER BY \(Self.idOrder("q.app_user_id")) LIMIT 1)
      FROM (\(newest)) AS failing
      ORDER BY expires_date_ms DESC, \(Self.idOrder("original_transaction_id")) LIMIT :limit
      """
    ).map { row in
      BillingRetryFigures.Entry(
        originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2], at: question.at)
    }
  }
}

/// Lines that count alike.
private struct FailingGroup {
  var product: ProductID
  var state: LineState
  var monthly: Money?
  var lines: Int
}
