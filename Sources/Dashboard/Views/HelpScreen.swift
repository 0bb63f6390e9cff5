import Screen
import Subscriptions

/// The keys, from the registry that gives them their commands.
struct HelpScreen {
  let readOnly: Bool
  let glyphs: GlyphSet

  func rows(columns: Int) -> Int { layout(columns: columns).height }

  func draw(on canvas: inout Canvas, in rect: Rect, scroll: Int) {
    var place = Place()
    place.scroll = scroll
    BlockScreen(blocks: blocks, place: place).draw(on: &canvas, in: rect)
  }

  private func layout(columns: Int) -> BlockLayout {
    BlockLayout(blocks, in: Size(columns: columns, rows: 1), glyphs: glyphs)
  }

  private var blocks: [Block] {
    let bindings = KeyMap.bindings(readOnly: readOnly)
    return Binding.Section.allCases.compactMap { section in
      let shown = bindings.filter { $0.section == section }
      guard !shown.isEmpty else { return nil }
      let rows = shown.map { binding in
        Listing.Row(
          id: binding.title,
          [
            StyledText(binding.keys.map(\.name).joined(separator: " "), .key), StyledText(binding.title),
          ])
      }
      let columns = [
        TableColumn("Key", minimum: 6, maximum: 12), TableColumn("Does", minimum: 10, maximum: 60),
      ]
      return Block(
        StyledText(section.rawValue), .listing(Listing(columns, rows, emptyText: "", in: glyphs)),
        minimumColumns: 40)
    }
  }
}
