import GRDB
import Subscriptions

extension StoredLedger {
  /// METRICS §2, User: of the receipts that hold the line, or the chain where the app gave none.
  func users(_ state: LineState, _ question: Question) throws -> Int {
    let found = unpaid(state, question)
    guard !found.isEmpty else { return 0 }
    var users: Set<Int64> = []
    var linesOfSeveral: [Int64] = []
    var statement = try BoundStatement(
      """
      SELECT p.user_number IS NULL, ifnull(p.user_number, p.line_id) FROM \(StoreQuery.unpaid)
        AND p.position_id IN (\(found))
      """, db)
    statement.bind(question.at)
    try statement.forEach { row in
      if row[0] == 0 { users.insert(row[1]) } else { linesOfSeveral.append(row[1]) }
    }
    for line in linesOfSeveral { users.formUnion(try usersOf(line: line)) }
    return users.count
  }

  /// The numbers of the classes of lines in a state that a question is about, for SQL.
  private func unpaid(_ state: LineState, _ question: Question) -> String {
    numbers { $0.state == state && question.includes($0) }.map(String.init).joined(separator: ", ")
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

  func failing(_ question: Question) throws -> [BillingRetryFigures.Entry] {
    let found = unpaid(.billingRetry, question)
    guard !found.isEmpty, question.limit > 0 else { return [] }
    let meant = "\(StoreQuery.unpaid) AND p.position_id IN (\(found))"
    return try StoreQuery(db: db, question: question).rows(
      """
      SELECT c.original_transaction_id, x.product_id, x.expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = l.chain_id AND q.app_user_id <> ''
          ORDER BY \(StoreQuery.idOrder("q.app_user_id")) LIMIT 1), x.storefront
      FROM (SELECT p.line_id, p.from_ms FROM \(meant) AND p.expires_ms >= ifnull(
          (SELECT p.expires_ms FROM \(meant) ORDER BY p.expires_ms DESC LIMIT 1 OFFSET :limit - 1), p.expires_ms)) AS f
        CROSS JOIN spans s ON s.line_id = f.line_id AND s.from_ms = f.from_ms CROSS JOIN lines l ON l.id = f.line_id
        CROSS JOIN chains c ON c.id = l.chain_id CROSS JOIN transactions x ON x.id = s.current_id
      ORDER BY x.expires_date_ms DESC, \(StoreQuery.idOrder("c.original_transaction_id")) LIMIT :limit
      """
    ).map { row in
      BillingRetryFigures.Entry(
        originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2],
        storefront: row[4], at: question.at)
    }
  }
}
