import Subscriptions

/// Imported answer with everything that can be computed without the store.
struct PreparedAnswer: Sendable {
  var imported: ImportedAnswer
  var observedAt: Instant
  var fingerprint: String
  var digest: String
  /// Rows of its chains, by part of the answer. Valid if the receipt and the chain are new; `nil` if they
  /// cannot be.
  var chains: [NewChain]?
  var place = Place.alone

  /// Place among consecutive answers about the same chains, which are derived once, with the last.
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
    // A signed row is merged into its chain.
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
  /// Whether both answers belong to one receipt and the same chains, and the store would accept or refuse
  /// them alike.
  func isFollowed(by next: ImportedAnswer, now: Instant) -> Bool {
    guard signed == nil, next.signed == nil, user == next.user, !answer.chains.isEmpty,
      (next.observedAt ?? next.answer.requestDate ?? now) <= now
    else { return false }
    return answer.environment == next.answer.environment && answer.bundleID == next.answer.bundleID
      && answer.chains == next.answer.chains
  }

  /// User of the answer; `nil` if the app gave none or an empty name.
  var user: AppUserID? { appUserID.flatMap { $0.rawValue.isEmpty ? nil : $0 } }

  var fingerprint: String { answer.latestReceipt?.fingerprint.hexadecimal ?? answer.fingerprint }
}

extension Answer {
  /// Fingerprint of an answer without a receipt. It includes the app, since empty answers of two apps are
  /// equal.
  fileprivate var fingerprint: String {
    "\(digest.hexadecimal) \(environment.rawValue) \(bundleID?.rawValue ?? "")"
  }
}
