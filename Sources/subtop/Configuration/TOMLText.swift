/// TOML as this program writes it.
enum TOMLText {
  /// A basic string.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        quoted += String(scalar).utf16.map(unicodeEscape).joined()
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }

  /// Lines that a parser leaves out; none for an empty text.
  static func comment(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    return Markdown.wrapped(text, 78, first: "# ", indent: "# ").joined(separator: "\n") + "\n"
  }
}
