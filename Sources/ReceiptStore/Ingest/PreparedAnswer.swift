import Subscriptions

/// An imported answer with what can be told of it without the store.
struct PreparedAnswer: Sendable {
  var imported: ImportedAnswer
  var observedAt: Instant
  var fingerprint: String
  var digest: String
  /// What is to be written of its chains, by the parts of the answer. It holds where the receipt is new, and the chain.
  var chains: [NewChain]

  var answer: Answer { imported.answer }

  init(_ imported: ImportedAnswer, catalog: Catalog, now: Instant) {
    let answer = imported.answer
    self.imported = imported
    let observedAt = imported.observedAt ?? answer.requestDate ?? now
    self.observedAt = observedAt
    digest = AnswerKind(isPartial: false).digest(of: answer)
    fingerprint = imported.fingerprint
    // What is signed is one row, which is merged into its chain.
    chains =
      imported.signed != nil
      ? []
      : answer.parts.map { part in
        var chain = Chain(environment: answer.environment, originalTransactionID: part.original)
        if let user = imported.user { chain.hold([user: observedAt]) }
        chain.bundleID = answer.bundleID
        return NewChain(chain, part, lagging: answer.lagging, observedAt: observedAt, catalog: catalog)
      }
  }
}

extension ImportedAnswer {
  /// Nil where the app gave none, also not by an empty name.
  var user: AppUserID? { appUserID.flatMap { $0.rawValue.isEmpty ? nil : $0 } }

  /// Of the receipt that came with it, else of the answer.
  var fingerprint: String { answer.latestReceipt?.fingerprint.hexadecimal ?? answer.fingerprint }
}

extension Answer {
  /// Tells answers without a receipt and without chains apart: two apps' empty answers say the same.
  fileprivate var fingerprint: String {
    "\(digest.hexadecimal) \(environment.rawValue) \(bundleID?.rawValue ?? "")"
  }
}
