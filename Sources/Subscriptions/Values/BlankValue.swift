/// A value that is empty, or white space alone, as a variable of a shell leaves it that is not set.
public enum BlankValue {
  /// Whether text is white space alone, which as an id finds nothing and nobody; an empty one is none.
  package static func isBlank(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy(\.isWhitespace) }

  /// What is wrong with such a value, in words without a capital and a full stop; nil with any other.
  ///
  /// - Parameters:
  ///   - value: nil where none was given.
  ///   - name: what it is: "the user of --user".
  ///   - advice: what to do instead.
  public static func problem(_ value: String?, _ name: String, _ advice: String) -> String? {
    guard let value, value.allSatisfy(\.isWhitespace) else { return nil }
    return "\(name) is \(value.isEmpty ? "empty" : "blank"); \(advice)"
  }
}
