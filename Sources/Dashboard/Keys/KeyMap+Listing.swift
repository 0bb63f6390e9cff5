import Screen
import Subscriptions

extension KeyMap {
  /// Every key as a list, of which Enter on a row runs the command.
  ///
  /// - Parameter context: the screen that one came from; what does not work there stands in the background.
  func block(readOnly: Bool, from context: KeyContext, in glyphs: GlyphSet) -> Block {
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
    return Block(
      "Keys; Enter runs one, / filters",
      .listing(
        Listing(
          [
            .whole("Key"), .name("What it does", least: 44).named("what"), .whole("About", priority: 2),
            .whole("Command", priority: 1),
          ], rows, emptyText: "No key.", in: glyphs)), span: .main)
  }
}
