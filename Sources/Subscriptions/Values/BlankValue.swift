/// A value that is empty, or white space alone, as a variable of a shell leaves it that is not set.
public enum BlankValue {
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
