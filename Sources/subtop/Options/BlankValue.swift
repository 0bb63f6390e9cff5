import ArgumentParser

/// Refuses a value that is empty, or white space alone, as a variable of a shell leaves it that is not set.
enum BlankValue {
  /// - Parameters:
  ///   - value: nil where none was given.
  ///   - name: what it is: "the user of --user".
  ///   - advice: what to do instead.
  static func refuse(_ value: String?, _ name: String, _ advice: String) throws {
    guard let value, value.allSatisfy(\.isWhitespace) else { return }
    throw ValidationError("\(name) is \(value.isEmpty ? "empty" : "blank"); \(advice)")
  }
}
