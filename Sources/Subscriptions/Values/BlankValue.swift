/// A value that is empty, as a variable of a shell leaves it that is not set, or that nobody can see.
public enum BlankValue {
  /// Whether nothing of text is seen: white space, controls and characters without a shape, as U+200B. As an id it finds nothing and
  /// nobody; an empty one is none.
  package static func isBlank(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isUnseen)
  }

  /// Returns the fault of an id with an invisible character, such as a no-break space at its end; `nil` if it has none.
  package static func unseen(in id: String) -> String? {
    guard let scalar = id.unicodeScalars.first(where: isUnseen) else { return nil }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "holds a character that is not seen, U+\(code); remove it"
  }

  package static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      || [.control, .format].contains(scalar.properties.generalCategory)
  }

  /// What is wrong with such a value, in words without a capital and a full stop; nil with any other.
  ///
  /// - Parameters:
  ///   - value: nil where none was given.
  ///   - name: what it is: "the user of --user".
  ///   - advice: what to do instead.
  public static func problem(
    _ value: String?, _ name: @autoclosure () -> String, _ advice: @autoclosure () -> String
  ) -> String? {
    guard let value, value.isEmpty || isBlank(value) else { return nil }
    return "\(name()) is \(value.isEmpty ? "empty" : "blank"); \(advice())"
  }
}
