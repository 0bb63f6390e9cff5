import Screen

/// Completions of the typed command, above the prompt.
struct PaletteBox {
  let entries: [Palette.Entry]
  /// Index of the entry in the prompt; `nil` for typed text.
  let selected: Int?

  func draw(on canvas: inout Canvas, over body: Rect) {
    guard !entries.isEmpty, body.rows > 4 else { return }
    let rows = min(entries.count, Palette.page, body.rows - 3)
    let first = max(0, (selected ?? 0) - rows + 1)
    let shown = entries.dropFirst(first).prefix(rows)
    let note =
      entries.count > rows ? "\(first + 1)\(canvas.glyphs.dash)\(first + rows) of \(entries.count)" : ""
    let inner = Box("Commands", note: StyledText(note, .dim), isFocused: true)
      .draw(on: &canvas, over: body, rows: rows)
    let names = min(
      max(28, inner.columns / 2 + 1), shown.map { TextWidth.of($0.line, in: canvas.glyphs) }.max() ?? 0)
    canvas.within(inner) { canvas in
      for (row, entry) in shown.enumerated() {
        let isHere = selected == first + row
        canvas.put(
          StyledText(entry.line, isHere ? .selection : .key), column: 0, row: row, width: names, cut: .middle)
        let keys = entry.keys.map(\.name).joined(separator: " ")
        let keysRoom = TextWidth.of(keys, in: canvas.glyphs)
        let room = max(0, canvas.bounds.columns - names - 4 - keysRoom)
        canvas.put(entry.title, column: names + 2, row: row, .text, width: room)
        canvas.put(
          StyledText(keys, .dim), column: 0, row: row, width: canvas.bounds.columns, align: .right)
      }
    }
  }
}
