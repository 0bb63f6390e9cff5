/// An id of the store that what somebody types may be a part of.
public struct IDSuggestion: Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// An offer code, or the identifier of a promotional or win-back offer: a name, which is meant before any id that begins alike.
    case offer
    case appUser, originalTransaction, transaction, order, accountToken, appTransaction
  }

  public var kind: Kind
  public var id: String

  public init(_ kind: Kind, _ id: String) { (self.kind, self.id) = (kind, id) }
}

/// Ids that what somebody types may be a part of, the likeliest first.
public struct IDSuggestions: Hashable, Sendable {
  public var found: [IDSuggestion]
  /// False where there was no time to look at every id for a part of it.
  public var isComplete: Bool

  public init(_ found: [IDSuggestion] = [], isComplete: Bool = true) {
    (self.found, self.isComplete) = (found, isComplete)
  }
}

extension String {
  /// How a typed text, in small letters, is part of this one: 0 is all of it, 1 its beginning, 2 a piece, 3 its letters in their order,
  /// others between them; nil is not at all. Digits stand beside each other: any few of them are in most ids.
  public func nearness(of typed: String) -> Int? {
    let own = lowercased()
    if own == typed { return 0 }
    if own.hasPrefix(typed) { return 1 }
    if own.contains(typed) { return 2 }
    var rest = own[...]
    for piece in typed.pieces {
      guard let place = rest.firstRange(of: piece) else { return nil }
      rest = rest[place.upperBound...]
    }
    return 3
  }

  /// Its letters one by one, and its numbers.
  public var pieces: [String] {
    var pieces: [String] = []
    for character in self {
      if character.isNumber, pieces.last?.last?.isNumber == true {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
    }
    return pieces
  }
}
