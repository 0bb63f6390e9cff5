import GRDB
import Subscriptions

extension Asking {
  func billingRetry() throws -> BillingRetryFigures {
    var figures = BillingRetryFigures()
    var products: [ProductID: Int] = [:]
    for row in try rows(
      """
      SELECT product_id, state, sum(monthly_micros), currency, count(*) FROM (\(failing))
      GROUP BY product_id, state, currency
      """)
    {
      let lines: Int = row[4]
      let monthly = row.money(micros: 2, currency: 3)
      if row[1] as LineState? == .grace {
        figures.grace.lines += lines
        monthly.map { figures.atRiskMrr.grace.add($0) }
      } else {
        figures.lines += lines
        monthly.map { figures.atRiskMrr.billingRetry.add($0) }
        products[row[0], default: 0] += lines
      }
    }
    figures.byProduct = BillingRetryFigures.sorted(
      products.map { BillingRetryFigures.ByProduct(productId: $0, lines: $1) })
    (figures.users, figures.grace.users) = try users()
    figures.rows = try entries()
    return figures
  }

  private var failing: String {
    "SELECT * FROM (\(judged)) WHERE state IN ('grace', 'billing_retry') AND \(product("product_id"))"
  }

  /// METRICS §2, User: of the receipts that hold the line, or the chain where the app gave none.
  private func users() throws -> (billingRetry: Int, grace: Int) {
    let rows = try rows(
      """
      WITH failing AS MATERIALIZED (\(failing))
      SELECT state, count(*) FROM (
        SELECT f.state, 'user ' || q.app_user_id FROM failing f
          JOIN receipt_chains k ON k.chain_id = f.chain_id
          JOIN receipts q ON q.id = k.receipt_id AND q.app_user_id <> ''
        UNION
        SELECT f.state, 'chain ' || f.original_transaction_id FROM failing f
        WHERE NOT EXISTS (
          SELECT 1 FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = f.chain_id AND q.app_user_id <> ''))
      GROUP BY state
      """)
    let counts = Dictionary(rows.map { ($0[0] as LineState?, $0[1] as Int) }, uniquingKeysWith: +)
    return (counts[.billingRetry] ?? 0, counts[.grace] ?? 0)
  }

  private func entries() throws -> [BillingRetryFigures.Entry] {
    try rows(
      """
      SELECT original_transaction_id, product_id, expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = failing.chain_id AND q.app_user_id <> ''
          ORDER BY \(Self.idOrder("q.app_user_id")) LIMIT 1)
      FROM (\(failing)) AS failing WHERE state = 'billing_retry'
      ORDER BY expires_date_ms DESC, \(Self.idOrder("original_transaction_id")) LIMIT :limit
      """
    ).map { row in
      BillingRetryFigures.Entry(
        originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2], at: question.at)
    }
  }
}
