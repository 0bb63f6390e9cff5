import GRDB
import Subscriptions

extension StoredLedger {
  private struct Retry {
    var line: Int64
    var from: Instant
    var expires: Instant
    var currency: CurrencyCode?
  }

  func failing(_ question: Question) throws -> FailingLines {
    let included = positions.filter { question.includes($0.value) }
    var (users, usersInGrace): (Set<Int64>, Set<Int64>) = ([], [])
    var retrying: [Retry] = []
    try db.forEach(
      StoreQuery.unpaid("line_id, from_ms, expires_ms, position_id, user_number"),
      StoreQuery.unpaidArguments(at: question.at)
    ) { row in
      guard let position = included[row[3]], [.billingRetry, .grace].contains(position.state) else { return }
      // A line of several users has no number.
      let of = try row.number(4).map { [$0] } ?? usersOf(line: row[0])
      guard position.state == .billingRetry else { return usersInGrace.formUnion(of) }
      users.formUnion(of)
      retrying.append(
        Retry(line: row[0], from: row.date(1), expires: row.date(2), currency: position.currency))
    }
    return (users.count, usersInGrace.count, try rows(of: retrying, question))
  }

  private func usersOf(line: Int64) throws -> [Int64] {
    try db.rows(
      """
      SELECT DISTINCT q.app_user_id FROM lines l JOIN receipt_chains k ON k.chain_id = l.chain_id
        JOIN receipts q ON q.id = k.receipt_id
      WHERE l.id = ? AND q.app_user_id <> ''
      """, [line]
    ) { $0.text(0).map { Line.userNumber(of: AppUserID($0)) } }
  }

  private func rows(of retrying: [Retry], _ question: Question) throws -> [UnpaidEntry] {
    let sorted = retrying.sorted { $0.expires > $1.expires }
    guard let last = sorted.prefix(question.limit).last?.expires else { return [] }
    // Include all lines that expired with the last one, because ids decide their order.
    let newest = sorted.prefix { $0.expires >= last }
    let sql = """
      SELECT c.original_transaction_id, x.product_id, x.expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = l.chain_id AND q.app_user_id <> ''
          ORDER BY \(StoreQuery.idOrder("q.app_user_id")) LIMIT 1), x.storefront,
          s.monthly_micros
      FROM spans s CROSS JOIN lines l ON l.id = s.line_id CROSS JOIN chains c ON c.id = l.chain_id
        CROSS JOIN transactions x ON x.id = s.current_id
      WHERE s.line_id = ? AND s.from_ms = ?
      """
    let entries = try newest.compactMap { span in
      try FetchedRow.fetchOne(db, sql, [span.line, span.from]).map { row in
        let monthly: Int64 = try row[5]
        return try UnpaidEntry(
          originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2],
          storefront: row[4], mrr: span.currency.map { Money(micros: monthly, currency: $0) },
          at: question.at)
      }
    }
    return Array(entries.sorted(by: UnpaidEntry.inOrder).prefix(question.limit))
  }
}
