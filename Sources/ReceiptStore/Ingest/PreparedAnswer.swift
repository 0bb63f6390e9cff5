import Subscriptions

/// An imported answer with what can be told of it without the store.
struct PreparedAnswer: Sendable {
  var imported: ImportedAnswer
  var observedAt: Instant
  var fingerprint: String
  var digest: String
  /// What is to be written of its chains, by the parts of the answer. It holds where the receipt is new, and the chain; nil where
  /// neither can be.
  var chains: [NewChain]?
  /// Where it stands among answers about the same chains that are taken one after the other.
  var place = Place.alone

  /// What follows from the chains of several answers is derived once, when the last is taken.
  enum Place {
    case alone, first, middle, last

    var isLast: Bool { self == .alone || self == .last }

    init(isFirst: Bool, isLast: Bool) {
      self = isFirst ? (isLast ? .alone : .first) : isLast ? .last : .middle
    }
  }

  var answer: Answer { imported.answer }

  init(_ imported: ImportedAnswer, _ place: Place = .alone, catalog: Catalog, now: Instant) {
    self.place = place
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
      : place == .middle || place == .last
        ? nil
        : answer.parts.map { part in
          var chain = Chain(environment: answer.environment, originalTransactionID: part.original)
          if let user = imported.user { chain.hold([user: observedAt]) }
          chain.bundleID = answer.bundleID
          return NewChain(chain, part, lagging: answer.lagging, observedAt: observedAt, catalog: catalog)
        }
  }
}

extension ImportedAnswer {
  /// Whether the store takes both for one receipt, and neither of the same chains is refused where the other is not.
  func isFollowed(by next: ImportedAnswer, now: Instant) -> Bool {
    guard signed == nil, next.signed == nil, user == next.user, !answer.chains.isEmpty,
      (next.observedAt ?? next.answer.requestDate ?? now) <= now
    else { return false }
    return answer.environment == next.answer.environment && answer.bundleID == next.answer.bundleID
      && answer.chains == next.answer.chains
  }

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
