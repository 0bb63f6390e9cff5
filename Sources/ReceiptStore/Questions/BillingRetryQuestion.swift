import GRDB
import Subscriptions

extension StoreQuery {
  func billingRetry(_ sums: LedgerSums) throws -> BillingRetryFigures {
    var figures = BillingRetryFigures(sums, question)
    let users = try users([.billingRetry, .grace])
    figures.users = users[.billingRetry] ?? 0
    figures.grace.users = users[.grace] ?? 0
    figures.rows = try entries()
    return figures
  }

  /// Spans `p` that hold `:t`, of the few lines that have not paid, from an index that has all that is asked of them here.
  static let unpaid =
    "spans p INDEXED BY spans_unpaid WHERE p.expires_ms IS NOT NULL AND p.until_ms > :t AND p.from_ms <= :t"

  /// METRICS §2, User: of the receipts that hold the line, or the chain where the app gave none.
  private func users(_ states: [LineState]) throws -> [LineState: Int] {
    let stateOf = Dictionary(
      uniqueKeysWithValues: states.flatMap { state in
        ledger.numbers { $0.state == state && question.includes($0) }.map { ($0, state) }
      })
    var users: [LineState: Set<Int64>] = [:]
    var linesOfSeveral: [LineState: [Int64]] = [:]
    var statement = try BoundStatement(
      """
      SELECT p.position_id, p.user_number IS NULL, ifnull(p.user_number, p.line_id) FROM \(Self.unpaid)
      """, db)
    statement.bind(question.at)
    try statement.forEach { row in
      guard let state = stateOf[row[0]] else { return }
      if row[1] == 0 {
        users[state, default: []].insert(row[2])
      } else {
        linesOfSeveral[state, default: []].append(row[2])
      }
    }
    for (state, lines) in linesOfSeveral {
      for line in lines { users[state, default: []].formUnion(try usersOf(line: line)) }
    }
    return users.mapValues(\.count)
  }

  private func usersOf(line: Int64) throws -> [Int64] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT DISTINCT q.app_user_id FROM lines l JOIN receipt_chains k ON k.chain_id = l.chain_id
          JOIN receipts q ON q.id = k.receipt_id
        WHERE l.id = ? AND q.app_user_id <> ''
        """)
    return try AppUserID.fetchAll(statement, arguments: [line]).map(Line.userNumber)
  }

  private func entries() throws -> [BillingRetryFigures.Entry] {
    let found = ledger.numbers { $0.state == .billingRetry && question.includes($0) }
    guard !found.isEmpty, question.limit > 0 else { return [] }
    let meant = "\(Self.unpaid) AND p.position_id IN (\(found.map(String.init).joined(separator: ", ")))"
    return try rows(
      """
      SELECT c.original_transaction_id, x.product_id, x.expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = l.chain_id AND q.app_user_id <> ''
          ORDER BY \(Self.idOrder("q.app_user_id")) LIMIT 1)
      FROM (SELECT p.line_id, p.from_ms FROM \(meant) AND p.expires_ms >= ifnull(
          (SELECT p.expires_ms FROM \(meant) ORDER BY p.expires_ms DESC LIMIT 1 OFFSET :limit - 1), p.expires_ms)) AS f
        CROSS JOIN spans s ON s.line_id = f.line_id AND s.from_ms = f.from_ms CROSS JOIN lines l ON l.id = f.line_id
        CROSS JOIN chains c ON c.id = l.chain_id CROSS JOIN transactions x ON x.id = s.current_id
      ORDER BY x.expires_date_ms DESC, \(Self.idOrder("c.original_transaction_id")) LIMIT :limit
      """
    ).map { row in
      BillingRetryFigures.Entry(
        originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2], at: question.at)
    }
  }
}
