import GRDB
import Subscriptions

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
