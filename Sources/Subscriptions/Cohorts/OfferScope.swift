/// Restriction of cohorts by the offer of each line's first paid row.
public enum OfferScope: Hashable, Sendable {
  case all
  /// All offers of a kind, with and without an identifier.
  case kind(PeriodKind)
  case offer(PeriodKind, String)

  public func contains(_ kind: PeriodKind, _ offer: String?) -> Bool {
    switch self {
    case .all: true
    case .kind(let one): kind == one
    case .offer(let one, let name): kind == one && offer == name
    }
  }

  public var text: String {
    switch self {
    case .all: "all"
    case .kind(let kind): kind.rawValue
    case .offer(let kind, let name): "\(kind.rawValue):\(name)"
    }
  }

  /// Parses a kind, such as `intro`, or an offer, such as `promo:SPRING`, `code:FRIEND` or `winback:BACK`.
  public init?(parsing text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = PeriodKind(rawValue: parts[0]) else { return nil }
    guard parts.count > 1 else {
      self = .kind(kind)
      return
    }
    guard [.promo, .code, .winback].contains(kind), !parts[1].isEmpty, !BlankValue.isBlank(parts[1]) else {
      return nil
    }
    self = .offer(kind, parts[1])
  }
}
