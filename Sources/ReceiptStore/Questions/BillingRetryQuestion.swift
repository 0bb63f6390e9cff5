import GRDB
import Subscriptions

extension StoredLedger {
  func failing(_ question: Question) throws -> FailingLines {
    let unpaid = try unpaidSpans(at: question.at)
    let positions = positions.filter { question.includes($0.value) }
    func isIn(_ span: UnpaidSpans.Span, _ states: [Bool]) -> Bool {
      states.indices.contains(span.position) && states[span.position] && span.holds(question.at)
    }
    let (retry, grace) = (positions.places(of: .billingRetry), positions.places(of: .grace))
    var retrying = FailingUsers(unpaid)
    var inGrace = FailingUsers(unpaid)
    var newest: [UnpaidSpans.Span] = []
    for span in unpaid.spans {
      if isIn(span, grace) { inGrace.add(span) }
      guard isIn(span, retry) else { continue }
      retrying.add(span)
      // Includes all spans that expire at the same instant as the last.
      if newest.count < question.limit || (question.limit > 0 && newest.last?.expires == span.expires) {
        newest.append(span)
      }
    }
    return FailingLines(
      users: try retrying.count(usersOf), usersInGrace: try inGrace.count(usersOf),
      rows: try rows(of: newest, question))
  }

  /// Returns the numbers of a line's users (METRICS §2).
  private func usersOf(line: Int64) throws -> [Int64] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT DISTINCT q.app_user_id FROM lines l JOIN receipt_chains k ON k.chain_id = l.chain_id
          JOIN receipts q ON q.id = k.receipt_id
        WHERE l.id = ? AND q.app_user_id <> ''
        """)
    return try AppUserID.fetchAll(statement, arguments: [line]).map(Line.userNumber)
  }

  private func rows(
    of newest: [UnpaidSpans.Span], _ question: Question
  ) throws -> [UnpaidEntry] {
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
        try UnpaidEntry(
          originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2],
          storefront: row[4], at: question.at)
      }
    }
    return Array(entries.sorted(by: UnpaidEntry.inOrder).prefix(question.limit))
  }
}

extension [Int64: PositionClass] {
  /// Returns whether each position is of a state, indexed by its number.
  fileprivate func places(of state: LineState) -> [Bool] {
    var places: [Bool] = []
    for (number, position) in self where position.state == state {
      // Larger numbers only occur in a damaged file.
      guard (0..<count + NumberedClasses<PositionClass>.mostMissing).contains(Int(number)) else { continue }
      let number = Int(number)
      if number >= places.count {
        places += Array(repeating: false, count: number + 1 - places.count)
      }
      places[number] = true
    }
    return places
  }
}

private struct FailingUsers {
  private let unpaid: UnpaidSpans
  private var known: [Bool]
  private var count = 0
  private var linesOfSeveral: [Int64] = []

  init(_ unpaid: UnpaidSpans) {
    self.unpaid = unpaid
    known = Array(repeating: false, count: unpaid.users.count)
  }

  mutating func add(_ span: UnpaidSpans.Span) {
    guard let user = span.user else { return linesOfSeveral.append(span.line) }
    add(user)
  }

  private mutating func add(_ user: Int32) {
    guard !known[Int(user)] else { return }
    known[Int(user)] = true
    count += 1
  }

  /// - Parameter usersOf: Returns the users of a line that has several.
  mutating func count(_ usersOf: (Int64) throws -> [Int64]) rethrows -> Int {
    var others: Set<Int64> = []
    for number in try linesOfSeveral.flatMap(usersOf) {
      if let user = unpaid.place(ofUser: number) { add(user) } else { others.insert(number) }
    }
    return count + others.count
  }
}
