import Testing

/// A text that would do something to a terminal or a spreadsheet, and shows by its letters that it was drawn.
struct HostileText: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String

  private init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }

  static let all: [HostileText] = [
    HostileText("a colour", "\u{1B}[31337mowned"), HostileText("a window's title", "\u{1B}]0;owned\u{7}"),
    HostileText("a clipboard", "\u{1B}]52;c;b3duZWQ=\u{1B}\\owned"),
    HostileText("a string", "\u{1B}P$qowned\u{1B}\\"),
    HostileText("a reset", "\u{1B}cowned"), HostileText("keys typed back", "owned\u{1B}[6n\u{1B}[c\u{5}"),
    HostileText("C1 controls", "\u{9B}31337mowned\u{9D}0;owned\u{9C}"),
    HostileText("the next line", "owned\u{85}owned"),
    HostileText("a backspace", "owned\u{8}\u{8}\u{8}"),
    HostileText("line breaks", "owned\r\nowned\nowned\rowned"),
    HostileText("a tab", "\towned"), HostileText("a form feed", "owned\u{B}owned\u{C}owned"),
    HostileText("another character set", "owned\u{E}owned\u{F}"), HostileText("delete", "owned\u{7F}"),
    HostileText("turned text", "owned\u{202A}\u{202B}\u{202D}\u{202E}dwo\u{202C}"),
    HostileText("isolated text", "owned\u{2066}\u{2067}\u{2068}dwo\u{2069}"),
    HostileText("marks of direction", "\u{200E}\u{200F}\u{61C}owned"),
    HostileText("nothing to be seen", "ow\u{200B}ne\u{2060}d\u{FEFF}\u{AD}\u{180E}"),
    HostileText("joiners", "owned\u{200C}\u{200D}"), HostileText("tags", "owned\u{E0001}\u{E0061}\u{E007F}"),
    HostileText("separators", "owned\u{2028}owned\u{2029}"),
    HostileText("a tower of marks", "owned" + String(repeating: "\u{301}", count: 60)),
    HostileText("marks without a base", String(repeating: "\u{489}", count: 50) + "owned"),
    HostileText("a formula", "=HYPERLINK(\"http://127.0.0.1\",\"owned\")"),
    HostileText("a sum", "+1+owned"), HostileText("a difference", "-1+owned"),
    HostileText("a function", "@SUM(owned)"),
    HostileText("a formula with a mark", "=\u{301}owned"), HostileText("a wide formula", "＝owned"),
    HostileText("a formula behind a tab", "\t=owned"),
    HostileText("a formula behind a line break", "\r\n=owned"),
    HostileText("a formula in another cell", "owned\",=1+1"),
    HostileText("a formula behind a quote with a mark", "owned\"\u{301},=1+1"),
    HostileText("private letters", "owned\u{E0B0}\u{F8FF}"),
    HostileText("a long one", String(repeating: "owned", count: 25)),
  ]

  /// As a JSON string with everything escaped that can be.
  var json: String { Self.json(text) }

  static func json(_ text: String) -> String {
    let units = text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(units.joined())\""
  }

  /// Nil where a catalogue refuses it: line breaks within a field, and a mark that makes another character of the quote.
  var csv: String? {
    guard !text.contains(where: \.isNewline), "\"\(text)".first == "\"" else { return nil }
    // By bytes: a quote with a mark behind it is another character.
    let quote = UInt8(ascii: "\"")
    return "\"" + String(decoding: text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self)
      + "\""
  }
}

/// What would command a terminal among printed text: anything but letters and ends of lines.
func commands(in text: String) -> [String] {
  let ended = text.unicodeScalars.filter { $0 != "\n" }
  let printed = String(String.UnicodeScalarView(ended))
  return printed.unicodeScalars.filter {
    [.control, .format, .lineSeparator, .paragraphSeparator, .surrogate].contains(
      $0.properties.generalCategory)
  }.map { "U+" + String($0.value, radix: 16, uppercase: true) }
}
