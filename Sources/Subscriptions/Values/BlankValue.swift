/// Empty or invisible values, such as those of an unset shell variable.
public enum BlankValue {
  /// Whether a text consists of white space, controls and invisible characters, such as U+200B.
  package static func isBlank(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isUnseen)
  }

  /// Returns the problem of an id with an invisible character, such as a no-break space at its end.
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

  /// Returns a message if the value is empty or blank.
  public static func problem(
    _ value: String?, _ name: @autoclosure () -> String, _ advice: @autoclosure () -> String
  ) -> String? {
    guard let value, value.isEmpty || isBlank(value) else { return nil }
    return "\(name()) is \(value.isEmpty ? "empty" : "blank"); \(advice())"
  }
}
