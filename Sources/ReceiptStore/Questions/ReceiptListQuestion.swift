import GRDB
import Subscriptions

struct ReceiptListQuestion {
  let db: Database
  let question: ReceiptQuestion
  let now: Instant

  /// Condition on `receipts q`, with the arguments `:now`, `:from`, `:until`, `:reason`, `:status` and
  /// `:sweep`.
  private var condition: String {
    get throws {
      switch question {
      case .due(_, nil): "q.next_due_at_ms <= :now - :from"
      case .due: "q.next_due_at_ms <= :now - :from AND q.next_due_at_ms > :now - :until"
      case .dueSoon: "q.next_due_at_ms > :now AND q.next_due_at_ms <= :now + \(Milliseconds.day)"
      case .dueLater: "q.next_due_at_ms > :now + \(Milliseconds.day)"
      case .failed(let reason):
        Self.failing + (reason == nil ? "" : " AND q.last_failure = :reason AND NOT \(Self.isTooLong)")
      case .setAside: Self.failing + " AND q.last_failure = :reason AND \(Self.isTooLong)"
      case .dead(let reason):
        "q.dead_reason IS NOT NULL" + (reason == nil ? "" : " AND q.dead_reason = :reason")
      case .inProgress:
        """
        q.id IN (SELECT e.receipt_id FROM leases e WHERE \(SelectedReceipts.isHeld(try KilledSweeps.fetch(db))))
        """
      case .status: "q.last_status = :status AND q.last_checked_at_ms >= :from"
      case .ofSweep: "q.id IN (SELECT receipt_id FROM sweep_receipts WHERE sweep_id = :sweep)"
      }
    }
  }

  private static let failing = "q.failing_since_ms IS NOT NULL AND q.next_due_at_ms IS NOT NULL"
  private static let isTooLong = "q.due_rule IS '\(DuePolicy.Rule.tooLong.rawValue)'"

  /// Returns only the arguments that a statement names.
  private func arguments(_ sql: String, limit: Int? = nil) -> StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = ["now": now, "limit": limit]
    values["from"] = 0
    switch question {
    case .due(let from, let until): (values["from"], values["until"]) = (from, until)
    case .failed(let reason), .dead(let reason): values["reason"] = reason
    case .setAside(let reason): values["reason"] = reason
    case .status(let status, let since): (values["status"], values["from"]) = (status, since?.rawValue ?? 0)
    case .ofSweep(let sweep): values["sweep"] = sweep.rawValue
    case .dueSoon, .dueLater, .inProgress: break
    }
    return StatementArguments(values.filter { sql.contains(":\($0.key)") })
  }

  func ids() throws -> [ReceiptID] {
    let sql = "SELECT q.id FROM receipts q WHERE \(try condition) ORDER BY q.id"
    return try ReceiptID.fetchAll(db, sql: sql, arguments: arguments(sql))
  }

  func lines(limit: Int) throws -> ReceiptLines {
    let condition = try condition
    let counting = "SELECT count(*) FROM receipts q WHERE \(condition)"
    let count = try Int.fetchOne(db, sql: counting, arguments: arguments(counting)) ?? 0
    let sql = """
      SELECT q.id, nullif(q.app_user_id, ''), q.last_checked_at_ms, q.last_status,
        ifnull(q.dead_reason, iif(q.failing_since_ms IS NOT NULL, q.last_failure, NULL)), q.next_due_at_ms
      FROM receipts q WHERE \(condition) ORDER BY q.next_due_at_ms, q.id LIMIT :limit
      """
    let rows = try FetchedRow.fetchAll(db, sql: sql, arguments: arguments(sql, limit: limit))
    return ReceiptLines(question, try rows.map(line), count: count)
  }

  private func line(_ row: FetchedRow) throws -> ReceiptLine {
    var line = ReceiptLine(id: try row[0])
    line.appUserID = try row[1]
    (line.lastCheckedAt, line.lastStatus, line.why, line.nextDue) = try (row[2], row[3], row[4], row[5])
    let chains = try FetchedRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT c.id, c.original_transaction_id FROM receipt_chains k JOIN chains c ON c.id = k.chain_id
          WHERE k.receipt_id = ? ORDER BY c.id
          """), arguments: [line.id])
    if let first = chains.first {
      line.chain = try first[1]
      line.otherChains = chains.count - 1
      line.product = try ProductID.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT s.product_id FROM transaction_rows t JOIN transaction_shapes s ON s.id = t.shape_id
            WHERE t.chain_id = ? ORDER BY t.line_id IS NULL, t.purchase_date_ms DESC LIMIT 1
            """), arguments: [try first[0] as Int64])
    }
    guard case .ofSweep(let sweep) = question else { return line }
    let swept = try FetchedRow.fetchOne(
      db.cachedStatement(
        sql: "SELECT outcome, status, reason FROM sweep_receipts WHERE sweep_id = ? AND receipt_id = ?"),
      arguments: [sweep.rawValue, line.id])
    if let swept {
      line.swept = SweptReceipt(rawValue: try swept[0])
      // The outcome in that sweep, not the latest.
      (line.lastStatus, line.why) = try (swept[1], swept[2])
    }
    return line
  }
}

extension ReceiptStore {
  /// Returns the receipts of a query, the longest due first.
  public func receipts(
    _ question: ReceiptQuestion, limit: Int, at now: Instant
  ) throws(StoreError) -> ReceiptLines {
    try read("list receipts of") {
      try ReceiptListQuestion(db: $0, question: question, now: now).lines(limit: limit)
    }
  }

  public func receiptIDs(_ question: ReceiptQuestion, at now: Instant) throws(StoreError) -> [ReceiptID] {
    try read("list receipts of") { try ReceiptListQuestion(db: $0, question: question, now: now).ids() }
  }

  public func receiptIDs(
    holding chains: some Sequence<OriginalTransactionID>
  ) throws(StoreError) -> [ReceiptID] {
    let chains = Set(chains)
    return try read("list receipts of") { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT k.receipt_id FROM chains c JOIN receipt_chains k ON k.chain_id = c.id
          WHERE c.original_transaction_id = ?
          """)
      var ids: Set<ReceiptID> = []
      for chain in chains { ids.formUnion(try ReceiptID.fetchAll(statement, arguments: [chain])) }
      return ids.sorted()
    }
  }
}
