import GRDB
import Subscriptions

struct ReceiptListQuestion {
  let db: Database
  let question: ReceiptQuestion
  let now: Instant

  private func filter() throws -> (condition: String, arguments: [String: (any DatabaseValueConvertible)?]) {
    let failing = "q.failing_since_ms IS NOT NULL AND q.next_due_at_ms IS NOT NULL"
    let isTooLong = "q.due_rule IS '\(DuePolicy.Rule.tooLong.rawValue)'"
    return switch question {
    case .due(let from, nil): ("q.next_due_at_ms <= :now - :from", ["now": now, "from": from])
    case .due(let from, let until?):
      (
        "q.next_due_at_ms <= :now - :from AND q.next_due_at_ms > :now - :until",
        ["now": now, "from": from, "until": until]
      )
    case .dueSoon:
      ("q.next_due_at_ms > :now AND q.next_due_at_ms <= :now + \(Milliseconds.day)", ["now": now])
    case .dueLater: ("q.next_due_at_ms > :now + \(Milliseconds.day)", ["now": now])
    case .failed(nil): (failing, [:])
    case .failed(let reason?):
      ("\(failing) AND q.last_failure = :reason AND NOT \(isTooLong)", ["reason": reason])
    case .setAside(let reason):
      ("\(failing) AND q.last_failure = :reason AND \(isTooLong)", ["reason": reason])
    case .dead(nil): ("q.dead_reason IS NOT NULL", [:])
    case .dead(let reason?): ("q.dead_reason = :reason", ["reason": reason])
    case .inProgress:
      (
        "q.id IN (SELECT e.receipt_id FROM leases e WHERE \(SelectedReceipts.isHeld(try KilledSweeps.fetch(db))))",
        ["now": now]
      )
    case .status(let status, let since):
      (
        "q.last_status = :status AND q.last_checked_at_ms >= :from",
        ["status": status, "from": since?.rawValue ?? 0]
      )
    case .ofSweep(let sweep):
      ("q.id IN (SELECT receipt_id FROM sweep_receipts WHERE sweep_id = :sweep)", ["sweep": sweep.rawValue])
    }
  }

  func ids() throws -> [ReceiptID] {
    let (condition, arguments) = try filter()
    return try ReceiptID.fetchAll(
      db, sql: "SELECT q.id FROM receipts q WHERE \(condition) ORDER BY q.id",
      arguments: StatementArguments(arguments))
  }

  func lines(limit: Int) throws -> ReceiptLines {
    let (condition, arguments) = try filter()
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM receipts q WHERE \(condition)", arguments: StatementArguments(arguments))
    let sql = """
      SELECT q.id, nullif(q.app_user_id, ''), q.last_checked_at_ms, q.last_status,
        ifnull(q.dead_reason, iif(q.failing_since_ms IS NOT NULL, q.last_failure, NULL)), q.next_due_at_ms,
        (SELECT customer_id FROM customers WHERE receipt_id = q.id)
      FROM receipts q WHERE \(condition) ORDER BY q.next_due_at_ms, q.id LIMIT \(limit)
      """
    let lines = try db.rows(sql, StatementArguments(arguments)) { try line($0) }
    return ReceiptLines(question, lines, count: count ?? 0)
  }

  private func line(_ row: BoundStatement.Columns) throws -> ReceiptLine {
    var line = ReceiptLine(id: ReceiptID(rawValue: row[0]))
    line.appUserID = row.text(1)
    (line.lastCheckedAt, line.lastStatus) = (row.instant(2), row.isNull(3) ? nil : row.count(3))
    (line.why, line.nextDue, line.customer) = (row.text(4), row.instant(5), row.text(6))
    let chains = try db.rows(
      """
      SELECT c.id, c.original_transaction_id FROM receipt_chains k JOIN chains c ON c.id = k.chain_id
      WHERE k.receipt_id = ? ORDER BY c.id
      """, [line.id]
    ) { (id: $0[0] as Int64, original: $0.text(1) as OriginalTransactionID?) }
    if let first = chains.first {
      (line.chain, line.otherChains) = (first.original, chains.count - 1)
      line.product = try db.rows(
        """
        SELECT s.product_id FROM transaction_rows t JOIN transaction_shapes s ON s.id = t.shape_id
        WHERE t.chain_id = ? ORDER BY t.line_id IS NULL, t.purchase_date_ms DESC LIMIT 1
        """, [first.id]
      ) { $0.text(0) as ProductID? }.first
    }
    guard case .ofSweep(let sweep) = question else { return line }
    try db.forEach(
      "SELECT outcome, status, reason FROM sweep_receipts WHERE sweep_id = ? AND receipt_id = ?",
      [sweep.rawValue, line.id]
    ) { swept in
      line.swept = swept.text(0)
      // Show the outcome in that sweep, not the latest outcome.
      (line.lastStatus, line.why) = (swept.isNull(1) ? nil : swept.count(1), swept.text(2))
    }
    return line
  }
}

extension ReceiptStore {
  /// Returns the receipts that match a query, by due date; receipts without a due date come first.
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
      let ids = try chains.flatMap { chain in
        try db.rows(
          """
          SELECT k.receipt_id FROM chains c JOIN receipt_chains k ON k.chain_id = c.id
          WHERE c.original_transaction_id = ?
          """, [chain]
        ) { ReceiptID(rawValue: $0[0]) }
      }
      return Set(ids).sorted()
    }
  }
}
