import Screen
import Subscriptions

extension KeyMap {
  /// Every key as a list, of which Enter on a row runs the command; below them the words of a panel's figures, each with its term in
  /// JSON and in the manual.
  ///
  /// - Parameter context: the screen that one came from; what does not work there stands in the background.
  func block(
    readOnly: Bool, from context: KeyContext, figuresOf panel: Panel? = nil, in glyphs: GlyphSet
  ) -> Block {
    let rows = bindings(readOnly: readOnly).map { binding in
      let works = binding.contexts.contains(context)
      return Listing.Row(
        id: "\(binding.command.name) \(binding.title)",
        [
          StyledText(binding.keys.map(\.name).joined(separator: " "), works ? .key : .dim),
          StyledText(binding.title, works ? .text : .dim), StyledText(binding.section.rawValue, .dim),
          StyledText(":\(binding.command.name)", .dim),
        ], opening: .run(binding.command), note: binding.title)
    }
    let figures = panel.map { panel in
      panel.meanings.map { meaning in
        Listing.Row(
          id: "figure \(meaning.term)",
          [
            "", StyledText(meaning.words), StyledText("\(panel.title) figure", .dim),
            StyledText(meaning.term, .dim),
          ], note: "\(meaning.words) (\(meaning.term))")
      }
    }
    return Block(
      StyledText("Keys\(panel.map { ", and the words of \($0.title)" } ?? ""); Enter runs one, / filters"),
      .listing(
        Listing(
          [
            .whole("Key"), .name("What it does", least: 44).named("what"), .whole("About", priority: 2),
            .name("Command or term", least: 12, priority: 1).named("command"),
          ], rows + (figures ?? []), emptyText: "No key.", in: glyphs)), span: .main)
  }
}
