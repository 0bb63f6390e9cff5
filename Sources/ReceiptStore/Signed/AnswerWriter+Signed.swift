import GRDB
import Subscriptions

extension AnswerWriter {
  /// Takes one signed transaction or renewal info. A transaction is no validation: it says nothing of what came after it. A renewal
  /// info is one, of what it speaks of.
  ///
  /// - Parameter receipt: of the app and the user; nothing that an answer told of it changes.
  func take(
    _ signed: SignedText, _ prepared: PreparedAnswer, of receipt: ReceiptRecord
  ) throws -> RecordedOutcome {
    let (answer, observedAt) = (prepared.answer, prepared.observedAt)
    if let bundle = answer.bundleID, receipt.bundleID == nil { try name(receipt, bundle, holding: []) }
    let news = try Ingest(db: db, catalog: catalog, ledger: ledger).take(
      answer, prepared: nil, isPartial: true, isSigned: answer.renewalInfos.isEmpty, of: receipt.id,
      observedAt: observedAt)
    try db.cachedStatement(
      sql: "UPDATE receipts SET environment = ? WHERE id = ? AND environment IS NULL"
    ).execute(arguments: [answer.environment.rawValue, receipt.id])
    for part in answer.parts {
      guard let chain = try ChainRecord.existing(part.original, in: answer.environment, db) else { continue }
      try SignedRows(db: db).keep(signed, saying: answer, of: chain, signedAt: observedAt)
    }
    return news.map { .changed($0) } ?? .unchanged
  }
}
