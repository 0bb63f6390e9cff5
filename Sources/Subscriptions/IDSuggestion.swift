/// Stored id that contains what the user typed.
public struct IDSuggestion: Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Code or identifier of an offer. It precedes other ids with the same beginning.
    case offer
    case appUser, originalTransaction, transaction, order, accountToken, appTransaction
  }

  public var kind: Kind
  public var id: String

  public init(_ kind: Kind, _ id: String) { (self.kind, self.id) = (kind, id) }
}

/// Suggestions, the likeliest first.
public struct IDSuggestions: Hashable, Sendable {
  public var found: [IDSuggestion]
  /// `false` if there was no time to search every id.
  public var isComplete: Bool

  public init(_ found: [IDSuggestion] = [], isComplete: Bool = true) {
    (self.found, self.isComplete) = (found, isComplete)
  }
}
