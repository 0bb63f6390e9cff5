import GRDB
import Subscriptions

extension AnswerWriter {
  /// Records a successful check.
  ///
  /// - Parameters:
  ///   - digest: Digest of the answer; `nil` if the answer is a repetition, or older than the last answer.
  ///   - fullAnswerAt: Current instant if the answer was full; otherwise `nil`.
  ///   - revives: Whether a dead receipt becomes active again.
  func succeed(
    _ receipt: ReceiptRecord, _ answer: Answer, digest: String?, status: Int, observedAt: Instant,
    fullAnswerAt: Instant?, revives: Bool
  ) throws {
    let due = try due(receipt, judgedLines(of: receipt), observedAt)
    let isDue = "has_contents AND (dead_reason IS NULL OR :revives)"
    try db.run(
      """
      UPDATE receipts SET last_checked_at_ms = :now, last_status = :status, attempts = 0, last_failure = NULL,
        failing_since_ms = NULL, same_failure_since_ms = NULL,
        full_answer_at_ms = ifnull(:full, full_answer_at_ms),
        last_validated_at_ms = max(ifnull(last_validated_at_ms, :observed), :observed),
        bundle_id = iif(:digest IS NULL, bundle_id, ifnull(bundle_id, :bundle)),
        environment = iif(:digest IS NULL, environment, :environment),
        answer_digest = ifnull(:digest, answer_digest),
        dead_reason = iif(:revives, NULL, dead_reason), dead_at_ms = iif(:revives, NULL, dead_at_ms),
        next_due_at_ms = iif(\(isDue), :due, NULL), due_rule = iif(\(isDue), :rule, NULL)
      WHERE id = :id
      """,
      [
        "now": now, "status": status, "full": fullAnswerAt, "observed": observedAt, "digest": digest,
        "bundle": answer.bundleID, "environment": answer.environment.rawValue, "revives": revives,
        "due": due.at, "rule": due.rule.rawValue, "id": receipt.id,
      ])
  }

  /// Marks a receipt as dead, and keeps its history. A reason without a status does not replace an earlier
  /// reason.
  func reject(_ receipt: ReceiptID, status: Int?, reason: String) throws {
    try db.run(
      """
      UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?2, last_status),
        dead_reason = iif(?2 IS NULL, ifnull(dead_reason, ?3), ?3), dead_at_ms = ?1, next_due_at_ms = NULL, due_rule = NULL WHERE id = ?4
      """, [now, status, reason, receipt])
  }

  /// Schedules a receipt for another try. A dead receipt stays dead, and keeps its reason.
  func postpone(
    _ receipt: ReceiptID, status: Int?, reason: String, nextDue: Instant, rule: DuePolicy.Rule = .failed
  ) throws {
    try db.run(
      """
      UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?2, last_status), last_failure = ?3,
        attempts = attempts + 1, failing_since_ms = ifnull(failing_since_ms, ?1),
        same_failure_since_ms = iif(last_failure IS ?3, ifnull(same_failure_since_ms, ?1), ?1),
        next_due_at_ms = iif(dead_reason IS NULL AND has_contents, ?4, NULL),
        due_rule = iif(dead_reason IS NULL AND has_contents, ?6, NULL) WHERE id = ?5
      """, [now, status, reason, nextDue, receipt, rule.rawValue])
  }

  /// Handles status 21010: marks the receipt as dead, and ends its chains.
  func end(_ receipt: ReceiptID) throws {
    try reject(receipt, status: 21010, reason: "the user account cannot be found or has been deleted")
    try db.run(
      """
      INSERT INTO gone_receipts (receipt_id, gone_at_ms) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET gone_at_ms = max(gone_at_ms, excluded.gone_at_ms)
      """, [receipt, now])
    for var chain in try ChainRecord.fetch(ofReceipt: receipt, knownAt: now, db) {
      try ledger.touch(chain)
      try chain.end(at: now, db)
      try derivation.derive(chain)
    }
  }
}
