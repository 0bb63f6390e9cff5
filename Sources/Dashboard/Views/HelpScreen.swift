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
      let lines: [StyledText] = shown.map { binding in
        let keys = binding.keys.map(\.name).joined(separator: " ")
        let padding = String(repeating: " ", count: max(1, Self.keyColumns - keys.count))
        return [TextSpan(keys, .key), TextSpan(padding + binding.title)]
      }
      return Block(StyledText(section.rawValue), .text(lines, indent: Self.keyColumns), minimumColumns: 38)
    }
  }

  private static let keyColumns = 14
}
