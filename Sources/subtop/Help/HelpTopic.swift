import Screen

/// What can be looked up by `subtop help TOPIC`, and is a section of the manual page.
struct HelpTopic: Sendable {
  let name: String
  /// In a line, for the list of topics.
  let title: String
  /// Made when they are wanted: most of them come from the tables that drive the program.
  let blocks: @Sendable () throws -> [HelpBlock]

  init(_ name: String, _ title: String, blocks: @escaping @Sendable () throws -> [HelpBlock]) {
    self.name = name
    self.title = title
    self.blocks = blocks
  }

  /// In the order of the manual page.
  static func all(of program: ProgramDescription) -> [HelpTopic] {
    [
      .commands(of: program), .keys, .lists, .terminal, .figures, .compare, .alerts, .formats,
      .revenueCat, .adapty, .qonversion, .limits,
      .secrets, .configuration,
      .sweeping, .operating, .store, .views, .environment, .files, .exitStatus,
    ]
  }

  func text(columns: Int) throws -> String {
    "\(title)\n\n" + HelpText(columns: columns).text(of: try blocks())
  }
}

extension [HelpTopic] {
  /// As it follows the list of commands.
  func list(columns: Int) -> String {
    let terms = HelpBlock.terms(map { HelpBlock.Term($0.name, $0.title) })
    return "TOPICS:\n" + HelpText(columns: columns).text(of: [terms])
      + "\n  See 'subtop help <topic>', or all of it in the manual: 'man subtop'.\n"
  }
}

/// Help as plain text.
struct HelpText {
  let columns: Int

  func text(of blocks: [HelpBlock]) -> String {
    blocks.map { lines(of: $0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func lines(of block: HelpBlock) -> [String] {
    switch block {
    case .heading(let text): [text, String(repeating: "-", count: text.count)]
    case .paragraph(let text): WrappedText.of(text, columns: columns)
    case .items(let items):
      items.flatMap { WrappedText.of($0, columns: columns, first: "- ", indent: "  ") }
    case .terms(let terms, _): lines(of: terms)
    case .verbatim(let text):
      text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
    }
  }

  /// Wide enough for most names; longer ones have a line of their own.
  private static let widestName = 24

  private func lines(of terms: [HelpBlock.Term]) -> [String] {
    let widths = terms.map { TextWidth.of($0.name) }
    let column = 4 + (widths.filter { $0 <= Self.widestName }.max() ?? Self.widestName)
    let indent = String(repeating: " ", count: column)
    return zip(terms, widths).flatMap { term, width in
      guard !term.meaning.isEmpty else { return ["  \(term.name)"] }
      guard width + 4 <= column else {
        return ["  \(term.name)"] + WrappedText.of(term.meaning, columns: columns, indent: indent)
      }
      let start = "  \(term.name)" + String(repeating: " ", count: column - width - 2)
      return WrappedText.of(term.meaning, columns: columns, first: start, indent: indent)
    }
  }
}
