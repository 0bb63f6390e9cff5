import GRDB
import Subscriptions

/// Records answers for receipts: their chains, when they were validated and when they come due again.
struct AnswerWriter {
  let db: Database
  let catalog: Catalog
  let policy: DuePolicy
  let now: Instant
  let ledger: CommitLedger

  init(db: Database, policy: DuePolicy, now: Instant) throws {
    self.db = db
    self.policy = policy
    self.now = now
    catalog = try CatalogTable.readWithRates(db)
    ledger = CommitLedger(db: db, catalog: catalog)
  }

  var derivation: Derivation { Derivation(db: db, catalog: catalog, ledger: ledger) }

  /// How much of what it knows Apple was asked for.
  enum Extent {
    case full
    /// `exclude-old-transactions`: of each subscription the newest transaction alone.
    case partial
    /// What a notification carried: never the whole history for certain.
    case notified
  }

  /// Records an answer kept from elsewhere for the receipt that it belongs to; nothing is written where it is refused.
  ///
  /// - Parameter isLast: false of a signed row after which another one of its chain is taken.
  func take(_ prepared: PreparedAnswer, isLast: Bool = true) throws -> RecordedOutcome {
    let imported = prepared.imported
    let known = try ReceiptRecord.existing(for: imported, prepared.fingerprint, db)
    if imported.signed != nil,
      let reason = ImportedAnswer.lead(ofSigned: prepared.observedAt, over: now)
    {
      return .refused(reason: reason)
    }
    if let reason = refusal(of: imported.answer, known, observedAt: prepared.observedAt) {
      return .refused(reason: reason)
    }
    let receipt =
      try known?.adopted(by: imported.user, derivation)
      ?? ReceiptRecord.insert(
        imported, prepared.fingerprint, contents: imported.answer.latestReceipt, at: now, db)
    if let signed = imported.signed { return try take(signed, prepared, of: receipt, isLast: isLast) }
    // One that came without a receipt to send may now have one.
    if !receipt.isNew, let latest = imported.answer.latestReceipt {
      try StoredContents.keep(latest, of: receipt.id, db)
    }
    return try take(
      imported.answer, prepared, extent: .full, status: imported.status, of: receipt,
      observedAt: prepared.observedAt)
  }

  /// Records one answer whole; nothing is written where it is refused.
  func take(
    _ answer: Answer, _ prepared: PreparedAnswer? = nil, extent: Extent, status: Int,
    of receipt: ReceiptRecord,
    observedAt given: Instant? = nil
  ) throws -> RecordedOutcome {
    if let reason = refusal(of: answer, receipt, observedAt: given) { return .refused(reason: reason) }
    let observedAt = given ?? credibleDate(of: answer) ?? now
    let kind = AnswerKind(isPartial: extent == .partial)
    let digest = prepared?.digest ?? kind.digest(of: answer)
    let isNewer = receipt.lastValidatedAt.map { observedAt >= $0 } ?? true
    let isRepeated = isNewer && receipt.digest == digest
    let isOther = receipt.other?.digest == digest && receipt.lastValidatedAt.map { observedAt > $0 } ?? false
    var check = ReceiptCheck(
      status: status, observedAt: observedAt, fullAnswerAt: extent == .full ? now : nil)
    let chains = receipt.isNew ? [] : try chains(of: answer, receipt)
    let isMine =
      !receipt.isNew && chains.count == answer.chains.count
      && chains.allSatisfy { $0.answeredBy == receipt.id }
    let place = prepared?.place ?? .alone
    if place == .alone, isRepeated || isOther, isMine,
      try confirm(
        chains, by: answer, kind, lastOther: isOther ? receipt.other?.at : nil, observedAt: observedAt)
    {
      check.due = due(receipt, try judgedLines(of: receipt))
      check.other = isOther ? .change : .keep
      try confirm(receipt, check)
      return .unchanged
    }
    let before = receipt.isNew || !place.isLast ? JudgedLines() : try judgedLines(of: receipt)
    if isNewer, !isRepeated, receipt.bundleID == nil, let bundle = answer.bundleID {
      try name(receipt, bundle, holding: chains)
    }
    var news = try Ingest(db: db, catalog: catalog, ledger: ledger).take(
      answer, prepared: receipt.isNew ? prepared?.chains : nil, isPartial: kind.isPartial, of: receipt.id,
      observedAt: observedAt, isLast: place.isLast)
    // A known purchase may turn out to be another one's second id.
    if place == .alone, let count = news?.newTransactions { news?.newTransactions = max(0, count) }
    if place.isLast {
      let after = try judgedLines(of: receipt)
      news?.stateChanges = after.changes(since: before)
      check.due = due(receipt, after)
    }
    if isRepeated {
      try confirm(receipt, check)
    } else if isNewer {
      if news == nil, isMine, let last = receipt.digest { check.other = kind.wrote(last) ? .keep : .change }
      try settle(receipt, answer, digest: digest, check)
    } else {
      try pass(receipt, check)
    }
    return news.map { .changed($0) } ?? .unchanged
  }

  /// Apple's clock at the answer. One far ahead would shut out every true answer after it.
  private func credibleDate(of answer: Answer) -> Instant? {
    answer.requestDate.flatMap { $0 > now + Milliseconds.day ? nil : $0 }
  }

  private func judgedLines(of receipt: ReceiptRecord) throws -> JudgedLines {
    try JudgedLines.fetch(ofReceipt: receipt.id, at: now, db)
  }

  private func due(_ receipt: ReceiptRecord, _ lines: JudgedLines) -> DuePolicy.Due {
    DueDates(db: db, policy: policy, now: now).next(receipt.id, of: receipt.user, lines: lines)
  }

  /// - Parameter receipt: nil where it would be a new one.
  private func refusal(of answer: Answer, _ receipt: ReceiptRecord?, observedAt given: Instant?) -> String? {
    if let expected = receipt?.bundleID, let bundle = answer.bundleID, bundle != expected {
      return "the answer is for another app (bundle id \(bundle)) than the receipt (\(expected))"
    }
    if let given, given > now + Milliseconds.day {
      return
        "the answer was observed at \(given.iso8601), which lies ahead; correct its observed_at_ms or request_date_ms"
    }
    return nil
  }

  /// The chains of an answer that are in the store.
  private func chains(of answer: Answer, _ receipt: ReceiptRecord) throws -> [ChainRecord] {
    let answered = answer.chains
    return try ChainRecord.fetch(ofReceipt: receipt.id, db).filter {
      answered.contains($0.original) && $0.environment == answer.environment
    }
  }

  /// Makes the chains of an answer that says what the last one of its kind said as fresh as it. Where one of the other kind
  /// came between, it said the same of what it showed, and the sightings of each kind go on by themselves.
  ///
  /// - Parameters:
  ///   - chains: whose last validation was the same receipt's, and of no other receipt at the same instant.
  ///   - lastOther: when the last one of its kind was, if one of the other kind came between.
  /// - Returns: false, and nothing done, where another of its kind has been taken since.
  private func confirm(
    _ chains: [ChainRecord], by answer: Answer, _ kind: AnswerKind, lastOther: Instant?, observedAt: Instant
  ) throws -> Bool {
    let infos = answer.renewalInfosByChain
    if let lastOther {
      let isLast = chains.allSatisfy { chain in
        let log = chain.log
        return (kind.isPartial ? log.partial : log.full).last == lastOther
      }
      guard isLast else { return false }
    }
    for var chain in chains {
      guard let before = chain.validatedAt, observedAt > before else { continue }
      let hasInfos = infos[chain.original] != nil
      // The first snapshot after an expiry may come after other validations.
      let last = hasInfos ? min(before, chain.renewalsObservedAt ?? before) : before
      let isOutlived = try hasOutlived(chain, since: last, by: observedAt)
      if isOutlived { try ledger.touch(chain) } else { try ledger.move(chain, from: before, to: observedAt) }
      try chain.confirm(
        at: observedAt, withRenewals: hasInfos, isPartial: kind.isPartial, db)
      if isOutlived { try derivation.derive(chain) }
    }
    return true
  }

  /// The app of a receipt is part of what its chains are counted by.
  func name(_ receipt: ReceiptRecord, _ app: BundleID, holding chains: [ChainRecord]) throws {
    let held = try ChainRecord.fetch(ofReceipt: receipt.id, db)
    try db.cachedStatement(sql: "UPDATE receipts SET bundle_id = ? WHERE id = ? AND bundle_id IS NULL")
      .execute(arguments: [app, receipt.id])
    let answered = Set(chains.map(\.id))
    for chain in held where !answered.contains(chain.id) {
      try derivation.derive(chain)
    }
  }

  /// Whether a validation is the first one after an access end or a purchase ahead, which makes what follows it known.
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
}

extension Answer {
  /// Those that it says anything of.
  var chains: Set<OriginalTransactionID> {
    Set(transactions.map(\.originalTransactionID)).union(renewalInfosByChain.keys)
  }
}

extension AnswerWriter {
  /// Takes one signed transaction or renewal info. A transaction is no validation: it says nothing of what came after it. A renewal
  /// info is one, of what it speaks of.
  ///
  /// - Parameters:
  ///   - receipt: of the app and the user; nothing that an answer told of it changes.
  ///   - isLast: false where another row of the chain is taken next, so that what follows from both is derived once.
  func take(
    _ signed: SignedText, _ prepared: PreparedAnswer, of receipt: ReceiptRecord, isLast: Bool
  ) throws -> RecordedOutcome {
    let (answer, observedAt) = (prepared.answer, prepared.observedAt)
    if let bundle = answer.bundleID, receipt.bundleID == nil { try name(receipt, bundle, holding: []) }
    let news = try Ingest(db: db, catalog: catalog, ledger: ledger).take(
      answer, prepared: nil, isPartial: true, isSigned: answer.renewalInfos.isEmpty, of: receipt.id,
      observedAt: observedAt, isLast: isLast)
    try db.cachedStatement(
      sql: "UPDATE receipts SET environment = ? WHERE id = ? AND environment IS NULL"
    ).execute(arguments: [answer.environment.rawValue, receipt.id])
    for part in answer.parts {
      guard let chain = try ChainRecord.existing(part.original, in: answer.environment, db) else { continue }
      try SignedRows(db: db).keep(signed, saying: answer, of: chain, signedAt: observedAt)
    }
    try askAbout(answer, receipt, signedAt: observedAt, isNew: news != nil)
    return news.map { .changed($0) } ?? .unchanged
  }

  /// Makes the customer of signed data askable by the id in it, if nothing else of the chain's can be asked with. What was given up is asked
  /// about again if the data tells anything new; one whose account is gone, if the data was signed since.
  private func askAbout(
    _ answer: Answer, _ receipt: ReceiptRecord, signedAt: Instant, isNew: Bool
  ) throws {
    guard receipt.isNew || !receipt.isAskable, let chain = answer.namedChains.min() else { return }
    let id = CustomerID(chain.rawValue)
    guard id.isCredible else { return }
    let ask = try db.cachedStatement(
      sql: """
        UPDATE receipts SET \(StoredContents.likeNew) WHERE id = ?2
          AND (dead_reason IS NULL OR dead_at_ms < ?3 OR (?4 AND id NOT IN (SELECT receipt_id FROM gone_receipts)))
          AND (?7 OR NOT EXISTS (
            SELECT 1 FROM chains c JOIN receipt_chains k ON k.chain_id = c.id JOIN receipts o ON o.id = k.receipt_id
            WHERE c.original_transaction_id = ?5 AND c.environment = ?6 AND o.id <> ?2 AND o.has_contents
              AND o.dead_reason IS NULL))
        """)
    try ask.execute(arguments: [
      now, receipt.id, signedAt, isNew, chain, answer.environment.rawValue, receipt.isNew,
    ])
    if db.changesCount > 0 { try StoredCustomer.keep(id, of: receipt.id, db) }
  }

  /// Takes what the Server API said of a customer: the answer as any other, and with it what Apple signed, where it says anything new.
  func take(
    _ history: CustomerHistory, isPartial: Bool, of receipt: ReceiptRecord
  ) throws -> RecordedOutcome {
    let answer = history.answer
    let outcome = try take(answer, extent: isPartial ? .partial : .full, status: 0, of: receipt)
    switch outcome {
    case .refused(let reason):
      try postpone(receipt.id, status: 0, reason: reason, nextDue: now + Milliseconds.day)
      return outcome
    case .changed: try keep(history.rows)
    case .unchanged, .noted, .lost: break
    }
    try StoredCustomer.keep(revision: history.revision, of: receipt.id, in: answer.environment, db)
    return outcome
  }

  private func keep(_ rows: [ImportedAnswer]) throws {
    for row in rows {
      guard let signed = row.signed, let signedAt = row.observedAt else { continue }
      for part in row.answer.parts {
        guard let chain = try ChainRecord.existing(part.original, in: row.answer.environment, db) else {
          continue
        }
        try SignedRows(db: db).keep(signed, saying: row.answer, of: chain, signedAt: signedAt)
      }
    }
  }
}
