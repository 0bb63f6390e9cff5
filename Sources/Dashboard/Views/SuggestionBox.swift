import Screen
import Subscriptions

/// Suggestions for the search text, above the prompt.
struct SuggestionBox {
  let suggestions: Suggestions
  let isLooking: Bool
  let wording: Wording

  private static let most = 12

  func draw(on canvas: inout Canvas, over body: Rect) {
    let entries = suggestions.entries
    guard body.rows > 4 else { return }
    let rows = min(max(1, entries.count), Self.most, body.rows - 3)
    let first = max(0, (suggestions.selected ?? 0) - rows + 1)
    let inner = Box("Find", note: StyledText(note, .dim), isFocused: true)
      .draw(on: &canvas, over: body, rows: rows)
    canvas.within(inner) { canvas in
      // Before the store's answer, the absence of results means nothing.
      if entries.isEmpty, suggestions.ids != nil {
        canvas.put("Nothing found: no id, offer, figure or product is called so.", column: 0, row: 0, .warn)
      }
      let words = entries.map { $0.words(in: wording) }
      let kinds = words.map { TextWidth.of($0.what, in: canvas.glyphs) }.max() ?? 0
      let names = max(0, canvas.bounds.columns - kinds - 2)
      for (row, entry) in words.dropFirst(first).prefix(rows).enumerated() {
        let isHere = suggestions.selected == first + row
        canvas.put(
          StyledText(entry.text, isHere ? .selection : .key), column: 0, row: row, width: names, cut: .middle)
        canvas.put(StyledText(entry.what, .dim), column: names + 2, row: row)
      }
    }
  }

  private var note: String {
    guard let ids = suggestions.ids else { return isLooking ? "looking" : "" }
    guard ids.isComplete else { return "not every id was looked at: type more of it" }
    guard suggestions.selected == nil, let nearest = suggestions.nearest else { return "" }
    return "Enter opens \(nearest.words(in: wording).text)"
  }
}
