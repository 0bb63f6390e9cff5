/// A piece of a help topic, which the terminal and the manual page show each in its way.
enum HelpBlock {
  case heading(String)
  case paragraph(String)
  case items([String])
  case terms([Term], Kind = .plain)
  /// As it is, line by line.
  case verbatim(String)

  /// A word and what it means.
  struct Term {
    let name: String
    let meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// What terms are, which decides how the manual page sets them.
  enum Kind {
    case plain, options, variables, files
  }
}

extension HelpBlock {
  /// The blocks of a text in a little of Markdown: `## ` before a heading, `- ` before each item of a list, four spaces before
  /// what stays as it is, and empty lines between paragraphs; and as AsciiDoc has it, `:: ` between a term and what it means.
  static func text(_ text: String, terms kind: Kind = .plain) -> [HelpBlock] {
    var blocks: [HelpBlock] = []
    for lines in paragraphs(of: text) {
      let whole = lines.joined(separator: " ")
      if lines[0].hasPrefix("## ") {
        blocks.append(.heading(String(whole.dropFirst(3))))
      } else if lines[0].hasPrefix("- ") {
        blocks.append(.items(joined(lines) { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }))
      } else if lines[0].hasPrefix(verbatimIndent) {
        blocks.append(.verbatim(lines.map { $0.dropFirst(verbatimIndent.count) }.joined(separator: "\n")))
      } else if lines[0].contains(termMark) {
        blocks.append(.terms(joined(lines) { $0.contains(termMark) }.compactMap(Term.init), kind))
      } else {
        blocks.append(.paragraph(whole))
      }
    }
    return blocks
  }

  private static let verbatimIndent = "    "
  fileprivate static let termMark = ":: "

  private static func paragraphs(of text: String) -> [[Substring]] {
    text.split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty).map(
      Array.init)
  }

  /// What goes on in the next line is put together.
  private static func joined(_ lines: [Substring], where begins: (Substring) -> Bool) -> [String] {
    var joined: [String] = []
    for line in lines {
      if begins(line) || joined.isEmpty {
        joined.append(String(line))
      } else {
        joined[joined.count - 1] += " " + line.drop { $0 == " " }
      }
    }
    return joined
  }
}

extension HelpBlock.Term {
  fileprivate init?(_ text: String) {
    guard let mark = text.firstRange(of: HelpBlock.termMark) else { return nil }
    self.init(String(text[..<mark.lowerBound]), String(text[mark.upperBound...]))
  }
}
