import GRDB
import Subscriptions

/// Records answers for receipts: their chains, when they were validated and when they come due again.
struct AnswerWriter {
  let db: Database
  let catalog: Catalog
  let policy: DuePolicy
  let now: Instant

  /// How much of what it knows Apple was asked for.
  enum Extent {
    case full
    /// `exclude-old-transactions`: of each subscription the newest transaction alone.
    case partial
    /// What a notification carried: never the whole history for certain.
    case notified
  }

  /// Records one answer whole; nothing is written where it is refused.
  func take(
    _ answer: Answer, extent: Extent, status: Int, of receipt: ReceiptRecord,
    observedAt given: Instant? = nil
  ) throws -> RecordedOutcome {
    if let reason = refusal(of: answer, receipt, observedAt: given) { return .refused(reason: reason) }
    // A clock far ahead would shut out every true answer after it.
    let requestDate = answer.requestDate.flatMap { $0 > now + Milliseconds.day ? nil : $0 }
    let observedAt = given ?? requestDate ?? now
    let isPartial = extent == .partial
    // The kinds are never taken for a repetition of one another: they show different rows.
    let digest = (isPartial ? "partial " : "") + answer.digest.hexadecimal
    let isNewer = receipt.lastValidatedAt.map { observedAt >= $0 } ?? true
    let isRepeated = isNewer && receipt.digest == digest
    if extent == .full { try keepFullAnswer(of: receipt) }
    if isRepeated, try confirm(answer, of: receipt, isPartial: isPartial, observedAt: observedAt) {
      let lines = try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db)
      try confirm(receipt, status: status, observedAt: observedAt, lines: lines)
      return .unchanged
    }
    let before = try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db)
    var news = try Ingest(db: db, catalog: catalog).take(
      answer, isPartial: isPartial, of: receipt.id, observedAt: observedAt)
    let after = try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db)
    news?.stateChanges = after.changes(since: before)
    if isRepeated {
      try confirm(receipt, status: status, observedAt: observedAt, lines: after)
    } else if isNewer {
      try settle(receipt, answer, status: status, digest: digest, observedAt: observedAt, lines: after)
    } else {
      try check(receipt, status: status, lines: after)
    }
    return news.map { .changed($0) } ?? .unchanged
  }

  private func refusal(of answer: Answer, _ receipt: ReceiptRecord, observedAt given: Instant?) -> String? {
    if let expected = receipt.bundleID, let bundle = answer.bundleID, bundle != expected {
      return "the answer is for another app (bundle id \(bundle)) than the receipt (\(expected))"
    }
    if let given, given > now + Milliseconds.day {
      return
        "the answer was observed at \(given.iso8601), which lies ahead; correct its observed_at_ms or request_date_ms"
    }
    return nil
  }

  private func keepFullAnswer(of receipt: ReceiptRecord) throws {
    let statement = try db.cachedStatement(sql: "UPDATE receipts SET full_answer_at_ms = ? WHERE id = ?")
    try statement.execute(arguments: [now, receipt.id])
  }

  /// Makes the chains of an answer that says what the last one said as fresh as it.
  ///
  /// - Returns: false, and nothing done, where another receipt was answered for one of them in the meantime.
  private func confirm(
    _ answer: Answer, of receipt: ReceiptRecord, isPartial: Bool, observedAt: Instant
  ) throws -> Bool {
    let infos = answer.renewalInfosByChain
    let answered = Set(answer.transactions.map(\.originalTransactionID)).union(infos.keys)
    let chains = try ChainRecord.fetch(ofReceipt: receipt.id, db).filter {
      answered.contains($0.original) && $0.environment == answer.environment
    }
    guard chains.count == answered.count, chains.allSatisfy({ $0.answeredBy == receipt.id }) else {
      return false
    }
    for var chain in chains {
      let wasBefore = chain.validatedAt
      try chain.confirm(
        at: observedAt, withRenewals: infos[chain.original] != nil, isPartial: isPartial, db)
      if try hasOutlived(chain, since: wasBefore) { try Derivation(db: db, catalog: catalog).derive(chain) }
    }
    return true
  }

  /// A receipt of which nothing new was said is as fresh as its answer.
  private func confirm(
    _ receipt: ReceiptRecord, status: Int, observedAt: Instant, lines: JudgedLines
  ) throws {
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?, last_validated_at_ms = ?, last_status = ?, \(Self.succeeded),
          dead_reason = iif(?2 > last_validated_at_ms, NULL, dead_reason),
          dead_at_ms = iif(?2 > last_validated_at_ms, NULL, dead_at_ms),
          next_due_at_ms = iif(NOT has_contents OR (dead_reason IS NOT NULL AND ?2 <= last_validated_at_ms), NULL, ?),
          due_rule = ?
        WHERE id = ?
        """)
    let due = dates.next(receipt.id, of: receipt.user, lines: lines)
    try update.execute(arguments: [now, observedAt, status, due.at, due.rule.rawValue, receipt.id])
  }

  private static let succeeded = "attempts = 0, last_failure = NULL, failing_since_ms = NULL"

  private var dates: DueDates { DueDates(db: db, policy: policy, now: now) }

  /// An answer older than the last one: it may add to the past, and the receipt was asked about all the same.
  private func check(_ receipt: ReceiptRecord, status: Int, lines: JudgedLines) throws {
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?, last_status = ?, \(Self.succeeded),
          next_due_at_ms = iif(NOT has_contents OR dead_reason IS NOT NULL, NULL, ?), due_rule = ?
        WHERE id = ?
        """)
    let due = dates.next(receipt.id, of: receipt.user, lines: lines)
    try update.execute(arguments: [now, status, due.at, due.rule.rawValue, receipt.id])
  }

  /// Whether a validation is the first one after an access end or a purchase ahead, which makes what follows it known.
  private func hasOutlived(_ chain: ChainRecord, since before: Instant?) throws -> Bool {
    guard let before, let validatedAt = chain.validatedAt, chain.goneAt == nil else { return true }
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM renewal_infos WHERE chain_id = :chain
            AND grace_period_expires_date_ms > :before AND grace_period_expires_date_ms <= :after
          UNION ALL SELECT 1 FROM lines l JOIN phases p ON p.line_id = l.id JOIN transactions x ON x.id = p.current_id
          WHERE l.chain_id = :chain AND (
            (p.from_ms > :before AND p.from_ms <= :after)
            OR (x.expires_date_ms > :before AND x.expires_date_ms <= :after)
            OR (x.expires_date_ms + \(billingRetryMilliseconds) > :before
              AND x.expires_date_ms + \(billingRetryMilliseconds) <= :after)))
        """)
    return try Bool.fetchOne(
      statement, arguments: ["chain": chain.id, "before": before, "after": validatedAt]) ?? false
  }

  /// An answer with news: what it says of the receipt itself.
  private func settle(
    _ receipt: ReceiptRecord, _ answer: Answer, status: Int, digest: String, observedAt: Instant,
    lines: JudgedLines
  ) throws {
    if let latest = answer.latestReceipt { try ReceiptContents.write(latest, of: receipt.id, db) }
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET bundle_id = ifnull(bundle_id, ?), environment = ?, last_checked_at_ms = ?,
          last_validated_at_ms = ?, last_status = ?, answer_digest = ?, \(Self.succeeded), dead_reason = NULL,
          dead_at_ms = NULL, next_due_at_ms = iif(has_contents, ?, NULL), due_rule = ?
        WHERE id = ?
        """)
    let due = dates.next(receipt.id, of: receipt.user, lines: lines)
    try update.execute(arguments: [
      answer.bundleID, answer.environment.rawValue, now, observedAt, status, digest, due.at,
      due.rule.rawValue,
      receipt.id,
    ])
  }

  /// Takes a receipt out of the queue with the reason kept; its history stays.
  func reject(_ receipt: ReceiptID, status: Int?, reason: String) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?, last_status), dead_reason = ?,
          dead_at_ms = ?1, next_due_at_ms = NULL, due_rule = NULL WHERE id = ?
        """)
    try statement.execute(arguments: [now, status, reason, receipt])
  }

  /// Status 21010: what the receipt holds has ended, and nobody will tell how.
  func end(_ receipt: ReceiptID) throws {
    try reject(receipt, status: 21010, reason: "the user account cannot be found or has been deleted")
    let keep = try db.cachedStatement(
      sql: """
        INSERT INTO gone_receipts (receipt_id, gone_at_ms) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET gone_at_ms = max(gone_at_ms, excluded.gone_at_ms)
        """)
    try keep.execute(arguments: [receipt, now])
    for var chain in try ChainRecord.fetch(ofReceipt: receipt, knownAt: now, db) {
      try chain.end(at: now, db)
      try Derivation(db: db, catalog: catalog).derive(chain)
    }
  }

  /// Leaves a receipt as it was, for later. A dead one stays dead, with the newer reason.
  func postpone(_ receipt: ReceiptID, status: Int?, reason: String, nextDue: Instant) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?2, last_status), last_failure = ?3,
          attempts = attempts + 1, failing_since_ms = ifnull(failing_since_ms, ?1),
          next_due_at_ms = iif(dead_reason IS NULL AND has_contents, ?4, NULL),
          due_rule = iif(dead_reason IS NULL AND has_contents, 'failed', NULL),
          dead_reason = iif(dead_reason IS NULL, NULL, ?3) WHERE id = ?5
        """)
    try statement.execute(arguments: [now, status, reason, nextDue, receipt])
  }
}
