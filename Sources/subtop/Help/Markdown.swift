import Screen

/// Text in a subset of Markdown, for the terminal and the manual page.
///
/// Headings begin with `## `, list items with `- `, and verbatim lines with four spaces. Paragraphs are
/// separated by empty lines. `:: ` separates a term and its meaning, as in AsciiDoc.
struct Markdown {
  private enum Block {
    case heading(String)
    case paragraph(String)
    case items([String])
    case terms([(name: String, meaning: String)])
    case verbatim([Substring])
  }

  private let blocks: [Block]

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    blocks = lines.split { $0.allSatisfy { $0 == " " } }.map { Self.block(Array($0)) }
  }

  private static func block(_ lines: [Substring]) -> Block {
    let (first, termMark) = (lines[0], ":: ")
    if first.hasPrefix("## ") { return .heading(String(first.dropFirst(3))) }
    if first.hasPrefix("- ") {
      return .items(joined(lines) { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) })
    }
    if first.hasPrefix("    ") { return .verbatim(lines.map { $0.dropFirst(4) }) }
    guard first.contains(termMark) else { return .paragraph(lines.joined(separator: " ")) }
    return .terms(
      joined(lines) { $0.contains(termMark) }.compactMap { text in
        text.firstRange(of: termMark).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
      })
  }

  /// Joins each line that does not begin an item to the previous line.
  private static func joined(_ lines: [Substring], where begins: (Substring) -> Bool) -> [String] {
    lines.reduce(into: []) { joined, line in
      if begins(line) || joined.isEmpty {
        joined.append(String(line))
      } else {
        joined[joined.count - 1] += " " + line.drop { $0 == " " }
      }
    }
  }

  func plain(columns: Int) -> String {
    blocks.map { Self.lines(of: $0, columns).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func lines(of block: Block, _ columns: Int) -> [String] {
    switch block {
    case .heading(let text): [text, String(repeating: "-", count: text.count)]
    case .paragraph(let text): wrapped(text, columns)
    case .items(let items): items.flatMap { wrapped($0, columns, first: "- ", indent: "  ") }
    case .terms(let terms): terms.flatMap { wrapped($0.meaning, columns, under: $0.name, column(of: terms)) }
    case .verbatim(let lines): lines.map { "  \($0)" }
    }
  }

  private static func column(of terms: [(name: String, meaning: String)]) -> Int {
    4 + (terms.map { TextWidth.of($0.name) }.filter { $0 <= 24 }.max() ?? 24)
  }

  /// Formats a term; a name that is too long gets a line of its own.
  private static func wrapped(
    _ meaning: String, _ columns: Int, under name: String, _ column: Int
  ) -> [String] {
    let (indent, room) = (String(repeating: " ", count: column), column - TextWidth.of(name) - 2)
    guard room >= 2 else { return ["  \(name)"] + wrapped(meaning, columns, first: indent, indent: indent) }
    let start = "  \(name)" + String(repeating: " ", count: room)
    return wrapped(meaning, columns, first: start, indent: indent)
  }

  private static func wrapped(
    _ text: String, _ columns: Int, first: String = "", indent: String = ""
  ) -> [String] {
    var (lines, line, isEmpty) = ([String](), first, true)
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !isEmpty, TextWidth.of(line) + 1 + TextWidth.of(String(word)) > columns {
        lines.append(line)
        (line, isEmpty) = (indent, true)
      }
      line += isEmpty ? String(word) : " \(word)"
      isEmpty = false
    }
    return isEmpty ? lines : lines + [line]
  }

  var mdoc: String { blocks.map(Self.mdoc).joined() }

  private static func mdoc(_ block: Block) -> String {
    switch block {
    case .heading(let text): ".Ss \(escaped(text))\n"
    case .paragraph(let text): ".Pp\n\(escaped(text))\n"
    case .items(let items): ".Bl -bullet\n" + items.map { ".It\n\(escaped($0))\n" }.joined() + ".El\n"
    case .terms(let terms):
      ".Bl -tag -width Ds\n" + terms.map { ".It \(words(of: $0.name))\n\(escaped($0.meaning))\n" }.joined()
        + ".El\n"
    case .verbatim(let lines):
      ".Bd -literal -offset indent\n" + lines.map { escaped(String($0)) + "\n" }.joined() + ".Ed\n"
    }
  }

  /// Escapes words that mdoc would read as macros or punctuation.
  private static func words(of text: String) -> String {
    text.split(separator: " ").map { "\\&\(escaped(String($0)))" }.joined(separator: " ")
  }

  /// Escapes characters that roff would read as requests or escapes.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("^", with: "\\(ha")
      .replacing("~", with: "\\(ti").replacing("`", with: "\\(ga")
    return [".", "'"].contains(plain.first.map(String.init)) ? "\\&" + plain : plain
  }
}
