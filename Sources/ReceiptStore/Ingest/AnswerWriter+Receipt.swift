import GRDB
import Subscriptions

extension AnswerWriter {
  /// Assignments of every successful check, with the arguments `:now`, `:status` and `:full`.
  private static let succeeded = """
    last_checked_at_ms = :now, last_status = :status, attempts = 0, last_failure = NULL, failing_since_ms = NULL,
    same_failure_since_ms = NULL, full_answer_at_ms = ifnull(:full, full_answer_at_ms)
    """

  private func execute(
    _ sql: String, _ receipt: ReceiptID, _ check: ReceiptCheck,
    _ more: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws {
    var values: [String: (any DatabaseValueConvertible)?] = [
      "now": now, "status": check.status, "full": check.fullAnswerAt, "due": check.due.at,
      "rule": check.due.rule.rawValue, "id": receipt,
    ]
    values.merge(more) { $1 }
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }

  /// Records an answer without news, which makes the receipt as fresh as the answer.
  func confirm(_ receipt: ReceiptRecord, _ check: ReceiptCheck) throws {
    let isNewer = ":observed > last_validated_at_ms"
    try execute(
      """
      UPDATE receipts SET \(Self.succeeded), \(check.other.assignments)
        \(check.other == .change ? "answer_digest = other_digest," : "") last_validated_at_ms = :observed,
        dead_reason = iif(\(isNewer), NULL, dead_reason), dead_at_ms = iif(\(isNewer), NULL, dead_at_ms),
        next_due_at_ms = iif(NOT has_contents OR (dead_reason IS NOT NULL AND NOT \(isNewer)), NULL, :due),
        due_rule = iif(NOT has_contents OR (dead_reason IS NOT NULL AND NOT \(isNewer)), NULL, :rule)
      WHERE id = :id
      """, receipt.id, check, ["observed": check.observedAt])
  }

  /// Records an answer older than the last one. It may add to the past, and counts as a check.
  func pass(_ receipt: ReceiptRecord, _ check: ReceiptCheck) throws {
    try execute(
      """
      UPDATE receipts SET \(Self.succeeded),
        next_due_at_ms = iif(NOT has_contents OR dead_reason IS NOT NULL, NULL, :due),
        due_rule = iif(NOT has_contents OR dead_reason IS NOT NULL, NULL, :rule)
      WHERE id = :id
      """, receipt.id, check)
  }

  /// Records an answer with news.
  func settle(_ receipt: ReceiptRecord, _ answer: Answer, digest: String, _ check: ReceiptCheck) throws {
    try execute(
      """
      UPDATE receipts SET \(Self.succeeded), \(check.other.assignments) last_validated_at_ms = :observed,
        bundle_id = ifnull(bundle_id, :bundle), environment = :environment, answer_digest = :digest,
        dead_reason = NULL, dead_at_ms = NULL, next_due_at_ms = iif(has_contents, :due, NULL),
        due_rule = iif(has_contents, :rule, NULL)
      WHERE id = :id
      """, receipt.id, check,
      [
        "observed": check.observedAt, "bundle": answer.bundleID, "environment": answer.environment.rawValue,
        "digest": digest,
      ])
  }

  /// Marks a receipt as dead, and keeps its history. A reason without a status does not replace an earlier
  /// one.
  func reject(_ receipt: ReceiptID, status: Int?, reason: String) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?2, last_status),
          dead_reason = iif(?2 IS NULL, ifnull(dead_reason, ?3), ?3), dead_at_ms = ?1, next_due_at_ms = NULL, due_rule = NULL WHERE id = ?4
        """)
    try statement.execute(arguments: [now, status, reason, receipt])
  }

  /// Schedules a receipt for another try. A dead receipt stays dead, with its reason.
  func postpone(
    _ receipt: ReceiptID, status: Int?, reason: String, nextDue: Instant, rule: DuePolicy.Rule = .failed
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?2, last_status), last_failure = ?3,
          attempts = attempts + 1, failing_since_ms = ifnull(failing_since_ms, ?1),
          same_failure_since_ms = iif(last_failure IS ?3, ifnull(same_failure_since_ms, ?1), ?1),
          next_due_at_ms = iif(dead_reason IS NULL AND has_contents, ?4, NULL),
          due_rule = iif(dead_reason IS NULL AND has_contents, ?6, NULL) WHERE id = ?5
        """)
    try statement.execute(arguments: [now, status, reason, nextDue, receipt, rule.rawValue])
  }

  /// Handles status 21010: everything that the receipt holds has ended, for an unknown reason.
  func end(_ receipt: ReceiptID) throws {
    try reject(receipt, status: 21010, reason: "the user account cannot be found or has been deleted")
    let keep = try db.cachedStatement(
      sql: """
        INSERT INTO gone_receipts (receipt_id, gone_at_ms) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET gone_at_ms = max(gone_at_ms, excluded.gone_at_ms)
        """)
    try keep.execute(arguments: [receipt, now])
    for var chain in try ChainRecord.fetch(ofReceipt: receipt, knownAt: now, db) {
      try ledger.touch(chain)
      try chain.end(at: now, db)
      try derivation.derive(chain)
    }
  }
}
