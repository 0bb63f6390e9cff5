import GRDB
import Subscriptions

/// Records answers for receipts: their chains, when they were validated and when they come due again.
struct AnswerWriter {
  let db: Database
  let catalog: Catalog
  let policy: DuePolicy
  let now: Instant

  /// Records one answer whole; nothing is written where it is refused.
  func take(
    _ answer: Answer, status: Int, of receipt: ReceiptRecord, observedAt given: Instant? = nil
  ) throws
    -> RecordedOutcome
  {
    if let expected = receipt.bundleID, let bundle = answer.bundleID, bundle != expected {
      let reason = "the answer is for another app (bundle id \(bundle)) than the receipt (\(expected))"
      return .refused(reason: reason)
    }
    if let given, given > now + Milliseconds.day {
      return .refused(
        reason:
          "the answer was observed at \(given.iso8601), which lies ahead; correct its observed_at_ms or request_date_ms"
      )
    }
    // A clock far ahead would shut out every true answer after it.
    let requestDate = answer.requestDate.flatMap { $0 > now + Milliseconds.day ? nil : $0 }
    let observedAt = given ?? requestDate ?? now
    let digest = answer.digest.hexadecimal
    let isNewer = receipt.lastValidatedAt.map { observedAt >= $0 } ?? true
    let isRepeated = isNewer && receipt.digest == digest
    if isRepeated, try confirm(answer, of: receipt, observedAt: observedAt) {
      try confirm(receipt, status: status, observedAt: observedAt)
      return .unchanged
    }
    let new = try Ingest(db: db, catalog: catalog).take(answer, of: receipt.id, observedAt: observedAt)
    if isRepeated {
      try confirm(receipt, status: status, observedAt: observedAt)
    } else if isNewer {
      try settle(receipt, answer, status: status, digest: digest, observedAt: observedAt)
    } else {
      try check(receipt, status: status)
    }
    return new.map { .changed(newTransactions: $0) } ?? .unchanged
  }

  /// Makes the chains of an answer that says what the last one said as fresh as it.
  ///
  /// - Returns: false, and nothing done, where another receipt was answered for one of them in the meantime.
  private func confirm(_ answer: Answer, of receipt: ReceiptRecord, observedAt: Instant) throws -> Bool {
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
      try chain.confirm(at: observedAt, withRenewals: infos[chain.original] != nil, db)
      if try hasOutlived(chain, since: wasBefore) { try Derivation(db: db, catalog: catalog).derive(chain) }
    }
    return true
  }

  /// A receipt of which nothing new was said is as fresh as its answer.
  private func confirm(_ receipt: ReceiptRecord, status: Int, observedAt: Instant) throws {
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?, last_validated_at_ms = ?, last_status = ?, attempts = 0,
          last_failure = NULL, dead_reason = iif(?2 > last_validated_at_ms, NULL, dead_reason),
          next_due_at_ms = iif(receipt_data IS NULL OR (dead_reason IS NOT NULL AND ?2 <= last_validated_at_ms), NULL, ?)
        WHERE id = ?
        """)
    try update.execute(arguments: [now, observedAt, status, try nextDue(receipt.id), receipt.id])
  }

  /// An answer older than the last one: it may add to the past, and the receipt was asked about all the same.
  private func check(_ receipt: ReceiptRecord, status: Int) throws {
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?, last_status = ?, attempts = 0, last_failure = NULL,
          next_due_at_ms = iif(receipt_data IS NULL OR dead_reason IS NOT NULL, NULL, ?)
        WHERE id = ?
        """)
    try update.execute(arguments: [now, status, try nextDue(receipt.id), receipt.id])
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
    _ receipt: ReceiptRecord, _ answer: Answer, status: Int, digest: String, observedAt: Instant
  ) throws {
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET bundle_id = ifnull(bundle_id, ?), environment = ?, receipt_data = ifnull(?, receipt_data),
          last_checked_at_ms = ?, last_validated_at_ms = ?, last_status = ?, answer_digest = ?, attempts = 0,
          last_failure = NULL, dead_reason = NULL,
          next_due_at_ms = iif(ifnull(?, receipt_data) IS NULL, NULL, ?)
        WHERE id = ?
        """)
    let latest = answer.latestReceipt?.base64
    try update.execute(arguments: [
      answer.bundleID, answer.environment.rawValue, latest, now, observedAt, status, digest, latest,
      try nextDue(receipt.id), receipt.id,
    ])
  }

  private func nextDue(_ receipt: ReceiptID) throws -> Instant {
    let statement = try db.cachedStatement(
      sql: """
        SELECT state, expires_date_ms FROM (\(StateSQL.judgedLines(at: ":t", ofChains: true)))
        """)
    let prospects = try FetchedRow.fetchAll(statement, arguments: ["t": now, "receipt": receipt]).compactMap {
      row in
      (row[0] as LineState?).map { DuePolicy.Prospect(state: $0, expires: row[1]) }
    }
    return policy.nextDue(for: prospects, at: now)
  }

  /// Takes a receipt out of the queue with the reason kept; its history stays.
  func reject(_ receipt: ReceiptID, status: Int?, reason: String) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?, last_status = ifnull(?, last_status), dead_reason = ?,
          next_due_at_ms = NULL WHERE id = ?
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

  /// Leaves a receipt as it was, for later.
  func postpone(_ receipt: ReceiptID, status: Int?, reason: String, nextDue: Instant) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE receipts SET last_checked_at_ms = ?, last_status = ifnull(?, last_status), last_failure = ?,
          attempts = attempts + 1, next_due_at_ms = ? WHERE id = ?
        """)
    try statement.execute(arguments: [now, status, reason, nextDue, receipt])
  }
}
