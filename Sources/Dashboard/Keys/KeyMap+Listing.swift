import Screen
import Subscriptions

extension KeyMap {
  /// Returns the help: all keys, then the meanings of a panel's figures with their terms in the JSON.
  ///
  /// Keys that do not work in `context` are dimmed, and their notes name screens on which they work.
  func block(
    readOnly: Bool, from context: KeyContext, figuresOf panel: Panel? = nil, columns: Int = .max,
    in glyphs: GlyphSet
  ) -> Block {
    let bindings = bindings(readOnly: readOnly)
    var rows = bindings.map { binding in
      let works = binding.contexts.contains(context)
      return Listing.Row(
        id: "\(binding.name) \(binding.title)",
        [
          StyledText(binding.keys.map(\.name).joined(separator: " "), works ? .key : .dim),
          StyledText(binding.title, works ? .text : .dim), StyledText(binding.section.rawValue, .dim),
          StyledText(":\(binding.name)", .dim),
        ], drillDown: .run(binding.command),
        note: binding.title + (works ? "" : "; on \(places(binding.contexts, from: context))"))
    }
    let endOfLists = bindings.lastIndex { $0.section == .arranging }.map { $0 + 1 } ?? rows.count
    rows.insert(Self.changedRows, at: endOfLists)
    let meanings = panel?.meanings ?? []
    let keyColumns = rows.map { $0.cells[0].width(in: glyphs) }.max() ?? 0
    // The limit leaves room for the key and its command on a screen of 80 columns.
    let lineColumns = min(43, max(16, columns - Block.frameColumns - keyColumns - TableColumn.gap))
    let about = StyledText("\(panel?.title ?? "") figure", .dim)
    let figures = meanings.flatMap { meaning in
      meaning.lines(of: lineColumns, in: glyphs).enumerated().map { place, line in
        let cells: [StyledText] = [
          "", StyledText(line, place == 0 ? .text : .dim), place == 0 ? about : "", "",
        ]
        return Listing.Row(id: "figure \(meaning.term) \(place)", cells, note: meaning.term)
      }
    }
    return Block(
      StyledText("Keys\(panel.map { " and figures of \($0.title)" } ?? ""); Enter runs a key, / filters"),
      .listing(
        Listing(
          [
            .whole("Key"),
            .name("What it does", least: lineColumns)
              .named("what").meaning(FigureMeaning.wholes(of: meanings, lineColumns, in: glyphs)),
            .whole("About", priority: 2),
            .name("Command", least: 12, priority: 1).named("command"),
          ], rows + figures, emptyText: "No keys.", in: glyphs)), span: .main)
  }

  private static let changedRows = Listing.Row(
    id: "changed rows",
    [
      StyledText("+", .accent), "before a row: new, or just changed",
      StyledText(Binding.Section.arranging.rawValue, .dim), "",
    ], note: "a + before a row: it is new, or changed since the last refresh")
}

extension FigureMeaning {
  fileprivate func lines(of columns: Int, in glyphs: GlyphSet) -> [String] {
    let lines = [words, note, term].compactMap(\.self).flatMap { text in
      TextBlock([StyledText(text)]).rows(width: columns - 2, in: glyphs).map(\.text)
    }
    return lines.prefix(1) + lines.dropFirst().map { "  \($0)" }
  }

  /// Maps each line of a meaning to the whole meaning, so that a filter for any of its words finds all lines.
  fileprivate static func wholes(
    of meanings: [FigureMeaning], _ columns: Int, in glyphs: GlyphSet
  ) -> [String: String] {
    Dictionary(
      meanings.flatMap { meaning in
        meaning.lines(of: columns, in: glyphs).map {
          ($0, "\(meaning.words) \(meaning.note ?? "") \(meaning.term)")
        }
      }, uniquingKeysWith: { "\($0) \($1)" })
  }
}

extension KeyMap {
  /// Returns why a key or command does not work on this screen; `nil` if it works or is unknown.
  ///
  /// - Parameter isMeant: Returns whether a binding belongs to the key or command.
  func refusal(
    of name: String, in context: KeyContext, readOnly: Bool, where isMeant: (Binding) -> Bool
  ) -> String? {
    let bindings = bindings.filter(isMeant)
    let isOff = { (binding: Binding) in readOnly && binding.command.changesSomething }
    let here = bindings.filter { $0.contexts.contains(context) }
    guard !bindings.isEmpty, here.allSatisfy(isOff) else { return nil }
    guard here.isEmpty, !bindings.allSatisfy(isOff) else { return "Read-only: sweeps are switched off." }
    let contexts = bindings.reduce(into: Set<KeyContext>()) { $0.formUnion($1.contexts) }
    return "\(name) only works on \(places(contexts, from: context))."
  }

  private func places(_ contexts: Set<KeyContext>, from context: KeyContext) -> String {
    if contexts.isSuperset(of: .lists) { return "lists" }
    if contexts.subtracting([.cohorts, .movement]) == .markable {
      return "lists of subscriptions or receipts"
    }
    if contexts.contains(.panel) { return context == .sweep ? "the other panels" : "the panels" }
    return KeyContext.allCases.filter(contexts.contains).prefix(2).map(words).joined(separator: " and ")
  }

  private func words(_ context: KeyContext) -> String {
    switch context {
    case .panel: "the panels"
    case .cohorts: tab(.panel(.cohorts))
    case .movement: tab(.panel(.movement))
    case .reconcile: tab(.reconcile)
    case .sweep: tab(.sweep)
    case .rows: "the rows behind a figure"
    case .compared: "a comparison"
    case .chains: "search results"
    case .receipts: "a list of receipts"
    case .chain: "a subscription history"
    case .evidence: "its fields"
    case .json: "its JSON"
    case .products: "lists to choose from"
    case .help: "this list of keys"
    case .messages: "the messages"
    case .tooSmall: "a larger window"
    }
  }

  private func tab(_ tab: Tab) -> String {
    let key = bindings.first { $0.command == .show(tab) }?.keys.first
    return tab.title + (key.map { " (\($0.name))" } ?? "")
  }
}
