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
