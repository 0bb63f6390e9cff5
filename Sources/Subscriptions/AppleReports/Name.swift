/// Text of a key with its hash. A reconciliation looks up hundreds of thousands of keys of a few names, so
/// each text is hashed once instead of at each lookup.
struct Name: Hashable, Comparable, Sendable {
  /// `nil` for the name of a missing text.
  let text: String?
  private let hash: Int

  init(_ text: String?) { (self.text, hash) = (text, text.hashValue) }

  static let none = Name(nil)

  static func == (left: Self, right: Self) -> Bool { left.hash == right.hash && left.text == right.text }

  /// Missing texts come first.
  static func < (left: Self, right: Self) -> Bool { (left.text ?? "") < (right.text ?? "") }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
