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
    // The kinds are never taken for a repetition of one another: they show different rows.
    let digest = (extent == .partial ? "partial " : "") + answer.digest.hexadecimal
    let isNewer = receipt.lastValidatedAt.map { observedAt >= $0 } ?? true
    let isRepeated = isNewer && receipt.digest == digest
    var check = Check(status: status, observedAt: observedAt, fullAnswerAt: extent == .full ? now : nil)
    if isRepeated, try confirm(answer, of: receipt, isPartial: extent == .partial, observedAt: observedAt) {
      check.due = due(receipt, try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db))
      try confirm(receipt, check)
      return .unchanged
    }
    let before = try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db)
    var news = try Ingest(db: db, catalog: catalog).take(
      answer, isPartial: extent == .partial, of: receipt.id, observedAt: observedAt)
    let after = try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db)
    news?.stateChanges = after.changes(since: before)
    check.due = due(receipt, after)
    if isRepeated {
      try confirm(receipt, check)
    } else if isNewer {
      try settle(receipt, answer, digest: digest, check)
    } else {
      try pass(receipt, check)
    }
    return news.map { .changed($0) } ?? .unchanged
  }

  private func due(_ receipt: ReceiptRecord, _ lines: JudgedLines) -> DuePolicy.Due {
    DueDates(db: db, policy: policy, now: now).next(receipt.id, of: receipt.user, lines: lines)
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
}
