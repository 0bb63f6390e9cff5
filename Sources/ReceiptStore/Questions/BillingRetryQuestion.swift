import GRDB
import Subscriptions

extension StoredLedger {
  func failing(_ question: Question) throws -> FailingLines {
    func classes(_ state: LineState) -> Set<Int64> {
      Set(numbers { $0.state == state && question.includes($0) })
    }
    let retry = classes(.billingRetry)
    let meant = retry.union(classes(.grace))
    guard !meant.isEmpty else { return FailingLines() }
    var (users, usersInGrace) = (FailingUsers(), FailingUsers())
    var retrying: [RetryingSpan] = []
    var statement = try BoundStatement(
      """
      SELECT p.line_id, p.from_ms, p.position_id, p.expires_ms, p.user_number FROM \(StoreQuery.unpaid)
        AND p.position_id IN (\(meant.sorted().map(String.init).joined(separator: ", ")))
      """, db)
    StoreQuery.bindUnpaid(&statement, at: question.at)
    try statement.forEach { row in
      guard retry.contains(row[2]) else { return usersInGrace.add(row.number(4), line: row[0]) }
      users.add(row.number(4), line: row[0])
      retrying.append(RetryingSpan(line: row[0], from: row[1], expires: row[3]))
    }
    return FailingLines(
      users: try count(users), usersInGrace: try count(usersInGrace), rows: try rows(of: retrying, question))
  }

  /// METRICS §2, User: of the receipts that hold the line, or the chain where the app gave none.
  private func count(_ users: FailingUsers) throws -> Int {
    try users.linesOfSeveral.reduce(into: users.known) { $0.formUnion(try usersOf(line: $1)) }.count
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

  /// The newest of them, as many as the question asks for.
  private func rows(of spans: [RetryingSpan], _ question: Question) throws -> [BillingRetryFigures.Entry] {
    guard question.limit > 0 else { return [] }
    var newest = spans
    if spans.count > question.limit {
      // Several may expire at the instant at which the list is cut off.
      let last = spans.map(\.expires).sorted(by: >)[question.limit - 1]
      newest = spans.filter { $0.expires >= last }
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT c.original_transaction_id, x.product_id, x.expires_date_ms, (
            SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
            WHERE k.chain_id = l.chain_id AND q.app_user_id <> ''
            ORDER BY \(StoreQuery.idOrder("q.app_user_id")) LIMIT 1), x.storefront
        FROM spans s CROSS JOIN lines l ON l.id = s.line_id CROSS JOIN chains c ON c.id = l.chain_id
          CROSS JOIN transactions x ON x.id = s.current_id
        WHERE s.line_id = ? AND s.from_ms = ?
        """)
    let entries = try newest.compactMap { span in
      try FetchedRow.fetchOne(statement, arguments: [span.line, span.from]).map { row in
        BillingRetryFigures.Entry(
          originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2],
          storefront: row[4], at: question.at)
      }
    }
    return Array(entries.sorted(by: BillingRetryFigures.inOrder).prefix(question.limit))
  }
}

private struct RetryingSpan {
  var line: Int64
  var from: Int64
  var expires: Int64
}

/// Users by their numbers, and lines that several have.
private struct FailingUsers {
  var known: Set<Int64> = []
  var linesOfSeveral: [Int64] = []

  mutating func add(_ number: Int64?, line: Int64) {
    if let number { known.insert(number) } else { linesOfSeveral.append(line) }
  }
}
