import GRDB
import Subscriptions

/// Records answers for receipts: chains, validations and next due dates.
struct AnswerWriter {
  let db: Database
  let catalog: Catalog
  let policy: DuePolicy
  let now: Instant
  let ledger: RollupWriter

  init(db: Database, policy: DuePolicy, now: Instant) throws {
    (self.db, self.policy, self.now) = (db, policy, now)
    catalog = try CatalogTable.readWithRates(db)
    ledger = RollupWriter(db: db, catalog: catalog)
  }

  var derivation: Derivation { Derivation(db: db, catalog: catalog, ledger: ledger) }

  enum Extent {
    case full
    /// Answer without older transactions, because the request had `exclude-old-transactions` or a revision.
    case partial
    /// Content of a notification, which may be incomplete.
    case notified
  }

  /// Records an imported answer for its receipt, unless the answer is refused.
  ///
  /// - Parameter isLast: Whether to derive the chain; `false` if another signed row of the chain follows.
  func take(_ imported: ImportedAnswer, isLast: Bool = true) throws -> RecordedOutcome {
    let fingerprint = imported.fingerprint
    let observedAt = imported.observedAt ?? imported.answer.requestDate ?? now
    let known = try ReceiptRecord.existing(for: imported, fingerprint, db)
    if imported.signed != nil, let reason = ImportedAnswer.lead(ofSigned: observedAt, over: now) {
      return .refused(reason: reason)
    }
    if let reason = refusal(of: imported.answer, known, observedAt: observedAt) {
      return .refused(reason: reason)
    }
    let receipt =
      try known?.adopted(by: imported.user, derivation)
      ?? ReceiptRecord.insert(imported, fingerprint, contents: imported.answer.latestReceipt, at: now, db)
    if let signed = imported.signed {
      return try take(signed, imported.answer, signedAt: observedAt, of: receipt, isLast: isLast)
    }
    // A receipt that was stored without contents gets the contents from the answer.
    if !receipt.isNew, let latest = imported.answer.latestReceipt {
      try StoredContents.keep(latest, of: receipt.id, db)
    }
    return try take(
      imported.answer, extent: .full, status: imported.status, of: receipt, observedAt: observedAt)
  }

  func take(
    _ answer: Answer, extent: Extent, status: Int, of receipt: ReceiptRecord, observedAt given: Instant? = nil
  ) throws -> RecordedOutcome {
    if let reason = refusal(of: answer, receipt, observedAt: given) { return .refused(reason: reason) }
    let observedAt = given ?? credibleDate(of: answer) ?? now
    let isPartial = extent == .partial
    // The prefix distinguishes a partial answer from a full answer with the same rows, because only the full
    // answer shows that there are no other rows.
    let digest = (isPartial ? "partial " : "") + answer.digest.hexadecimal
    let isNewer = receipt.lastValidatedAt.map { observedAt >= $0 } ?? true
    let isRepeated = isNewer && receipt.digest == digest
    let chains = receipt.isNew ? [] : try chains(of: answer, receipt)
    let isMine =
      !receipt.isNew && chains.count == answer.chains.count
      && chains.allSatisfy { $0.answeredBy == receipt.id }
    var news: AnswerNews?
    if isRepeated, isMine {
      try confirm(chains, by: answer, of: receipt.id, isPartial: isPartial, observedAt: observedAt)
    } else {
      let before = receipt.isNew ? ReceiptLineStates() : try judgedLines(of: receipt)
      if isNewer, !isRepeated, receipt.bundleID == nil, let bundle = answer.bundleID {
        try name(receipt, bundle, holding: chains)
      }
      news = try Ingest(db: db, catalog: catalog, ledger: ledger).take(
        answer, isPartial: isPartial, of: receipt.id, observedAt: observedAt)
      // A known transaction may turn out to be a second id of another purchase, so the count can be negative.
      if let count = news?.newTransactions { news?.newTransactions = max(0, count) }
      news?.stateChanges = try judgedLines(of: receipt).changes(since: before)
    }
    try succeed(
      receipt, answer, digest: isNewer && !isRepeated ? digest : nil, status: status, observedAt: observedAt,
      fullAnswerAt: extent == .full ? now : nil,
      revives: isNewer && (!isRepeated || receipt.lastValidatedAt != observedAt))
    return news.map { .changed($0) } ?? .unchanged
  }

  /// Returns the request date; `nil` if over a day ahead of `now`, because later answers would look old.
  private func credibleDate(of answer: Answer) -> Instant? {
    answer.requestDate.flatMap { $0 > now + Milliseconds.day ? nil : $0 }
  }

  func judgedLines(of receipt: ReceiptRecord) throws -> ReceiptLineStates {
    try ReceiptLineStates.fetch(ofReceipt: receipt.id, at: now, db)
  }

  /// Returns the next due date, which is `now` if the receipt is due and has a notification after the answer.
  func due(
    _ receipt: ReceiptRecord, _ lines: ReceiptLineStates, _ observedAt: Instant
  ) throws -> DuePolicy.Due {
    if try Bool.first(
      db,
      """
      SELECT EXISTS (SELECT 1 FROM receipts q JOIN receipt_chains k ON k.receipt_id = q.id
          JOIN notifications n ON n.chain_id = k.chain_id
        WHERE q.id = ? AND q.next_due_at_ms <= ? AND n.observed_at_ms > ?)
      """, [receipt.id, now, observedAt]) ?? false
    {
      return DuePolicy.Due(at: now, rule: .new)
    }
    return DueDates(db: db, policy: policy, now: now).next(receipt.id, of: receipt.user, lines: lines)
  }

  private func refusal(of answer: Answer, _ receipt: ReceiptRecord?, observedAt given: Instant?) -> String? {
    if let expected = receipt?.bundleID, let bundle = answer.bundleID, bundle != expected {
      return "the answer is for another app (bundle id \(bundle)) than the receipt (\(expected))"
    }
    if let given, given > now + Milliseconds.day {
      return
        "the answer was observed at \(given.iso8601), in the future; correct its observed_at_ms or request_date_ms"
    }
    return nil
  }

  private func chains(of answer: Answer, _ receipt: ReceiptRecord) throws -> [ChainRecord] {
    let answered = answer.chains
    return try ChainRecord.fetch(ofReceipt: receipt.id, db).filter {
      answered.contains($0.original) && $0.environment == answer.environment
    }
  }

  /// Records a validation that repeats the last answer.
  ///
  /// - Parameter chains: Chains whose last validation came from this receipt only.
  private func confirm(
    _ chains: [ChainRecord], by answer: Answer, of receipt: ReceiptID, isPartial: Bool, observedAt: Instant
  ) throws {
    let infos = answer.renewalInfosByChain
    for var chain in chains {
      guard let before = chain.validatedAt, observedAt > before else { continue }
      let hasInfos = infos[chain.original] != nil
      // The last validation with renewal infos may be older than the last validation.
      let last = hasInfos ? min(before, chain.renewalsObservedAt ?? before) : before
      let isOutlived = try hasOutlived(chain, since: last, by: observedAt)
      if isOutlived { try ledger.touch(chain) } else { try ledger.move(chain, from: before, to: observedAt) }
      try chain.validate(
        at: observedAt, withRenewals: hasInfos, isPartial: isPartial, by: receipt, log: chain.log, db)
      if isOutlived { try derivation.derive(chain) }
    }
  }

  /// Sets the app of a receipt, and derives its chains again, except `chains`, which the caller derives.
  func name(_ receipt: ReceiptRecord, _ app: BundleID, holding chains: [ChainRecord]) throws {
    let held = try ChainRecord.fetch(ofReceipt: receipt.id, db)
    try db.cachedStatement(sql: "UPDATE receipts SET bundle_id = ? WHERE id = ? AND bundle_id IS NULL")
      .execute(arguments: [app, receipt.id])
    let answered = Set(chains.map(\.id))
    for chain in held where !answered.contains(chain.id) { try derivation.derive(chain) }
  }

  /// Returns whether a validation may change the state of a line.
  ///
  /// It may if the account is gone, or if a period, grace or retry ended, or a span began, since `before`.
  private func hasOutlived(
    _ chain: ChainRecord, since before: Instant, by validatedAt: Instant
  ) throws -> Bool {
    guard chain.goneAt == nil else { return true }
    let expiries = stateChangesAfterExpiry.map {
      "(x.expires_date_ms + \($0) > :before AND x.expires_date_ms + \($0) <= :after)"
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM renewal_infos WHERE chain_id = :chain
            AND grace_period_expires_date_ms > :before AND grace_period_expires_date_ms <= :after
          UNION ALL SELECT 1 FROM lines l JOIN spans p ON p.line_id = l.id JOIN transaction_rows x ON x.id = p.current_id
          WHERE l.chain_id = :chain AND (
            (p.from_ms > :before AND p.from_ms <= :after)
            OR \(expiries.joined(separator: " OR "))))
        """)
    return try Bool.fetchOne(
      statement, arguments: ["chain": chain.id, "before": before, "after": validatedAt]) ?? false
  }

  /// Records one signed transaction or renewal info.
  ///
  /// Only a renewal info is a validation, because a signed transaction proves nothing about later changes.
  ///
  /// - Parameter isLast: Whether to derive the chain; `false` if another row of the chain follows.
  func take(
    _ signed: SignedText, _ answer: Answer, signedAt observedAt: Instant, of receipt: ReceiptRecord,
    isLast: Bool
  ) throws -> RecordedOutcome {
    if let bundle = answer.bundleID, receipt.bundleID == nil { try name(receipt, bundle, holding: []) }
    let news = try Ingest(db: db, catalog: catalog, ledger: ledger).take(
      answer, isPartial: true, isSigned: answer.renewalInfos.isEmpty, of: receipt.id,
      observedAt: observedAt, isLast: isLast)
    try db.cachedStatement(
      sql: "UPDATE receipts SET environment = ? WHERE id = ? AND environment IS NULL"
    ).execute(arguments: [answer.environment.rawValue, receipt.id])
    try keep(signed, saying: answer, signedAt: observedAt)
    try askAbout(answer, receipt, signedAt: observedAt, isNew: news != nil)
    return news.map { .changed($0) } ?? .unchanged
  }

  /// Makes a receipt due for Server API requests with the customer id from signed data.
  ///
  /// A known receipt stays unchanged if a request about it, or about another receipt of the chain, is
  /// possible already. A dead receipt becomes due only if the data is new, or was signed after the receipt
  /// was marked as dead. If the account is gone, only the signing date matters.
  private func askAbout(_ answer: Answer, _ receipt: ReceiptRecord, signedAt: Instant, isNew: Bool) throws {
    guard receipt.isNew || !receipt.isAskable, let chain = answer.namedChains.min() else { return }
    let id = CustomerID(chain.rawValue)
    guard id.isCredible else { return }
    try db.run(
      """
      UPDATE receipts SET \(StoredContents.likeNew) WHERE id = ?2
        AND (dead_reason IS NULL OR dead_at_ms < ?3 OR (?4 AND id NOT IN (SELECT receipt_id FROM gone_receipts)))
        AND (?7 OR NOT EXISTS (
          SELECT 1 FROM chains c JOIN receipt_chains k ON k.chain_id = c.id JOIN receipts o ON o.id = k.receipt_id
          WHERE c.original_transaction_id = ?5 AND c.environment = ?6 AND o.id <> ?2 AND o.has_contents
            AND o.dead_reason IS NULL))
      """,
      [
        now, receipt.id, signedAt, isNew, chain, answer.environment.rawValue, receipt.isNew,
      ])
    if db.changesCount > 0 { try StoredCustomer.keep(id, of: receipt.id, db) }
  }

  /// Records a customer's history from the Server API, and its signed rows if it contains new data.
  func take(
    _ history: CustomerHistory, isPartial: Bool, of receipt: ReceiptRecord
  ) throws -> RecordedOutcome {
    let answer = history.answer
    let outcome = try take(answer, extent: isPartial ? .partial : .full, status: 0, of: receipt)
    switch outcome {
    case .refused(let reason):
      try postpone(receipt.id, status: 0, reason: reason, nextDue: now + Milliseconds.day)
      return outcome
    case .changed:
      for row in history.rows {
        guard let signed = row.signed, let signedAt = row.observedAt else { continue }
        try keep(signed, saying: row.answer, signedAt: signedAt)
      }
    case .unchanged, .noted, .lost: break
    }
    try StoredCustomer.keep(revision: history.revision, of: receipt.id, in: answer.environment, db)
    return outcome
  }

  private func keep(_ signed: SignedText, saying answer: Answer, signedAt: Instant) throws {
    for part in answer.parts {
      guard let chain = try ChainRecord.existing(part.original, in: answer.environment, db) else { continue }
      try SignedRows(db: db).keep(signed, saying: answer, of: chain, signedAt: signedAt)
    }
  }

  // MARK: Receipts

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

  /// Marks a receipt as dead; a reason without a status does not replace an earlier reason.
  func reject(_ receipt: ReceiptID, status: Int?, reason: String) throws {
    try db.run(
      """
      UPDATE receipts SET last_checked_at_ms = ?1, last_status = ifnull(?2, last_status),
        dead_reason = iif(?2 IS NULL, ifnull(dead_reason, ?3), ?3), dead_at_ms = ?1, next_due_at_ms = NULL, due_rule = NULL WHERE id = ?4
      """, [now, status, reason, receipt])
  }

  /// Schedules a receipt for another try; a dead receipt stays dead, and keeps its reason.
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

extension Answer {
  var chains: Set<OriginalTransactionID> {
    Set(transactions.map(\.originalTransactionID)).union(renewalInfosByChain.keys)
  }
}
