import Screen
import Subscriptions

/// Draws the state. Never fails, at any size.
public func view(_ state: State, on canvas: inout Canvas) {
  guard !state.isTooSmall else {
    TooSmallScreen(size: state.size).draw(on: &canvas)
    return
  }
  let chrome = Chrome(state.size)
  if chrome.sweep.isEmpty, state.sweep.isActive {
    SweepLine(state).draw(on: &canvas, in: chrome.header)
  } else {
    Header(state).draw(on: &canvas, in: chrome.header)
  }
  state.drawTabs(on: &canvas, in: chrome.tabs)
  state.drawBody(on: &canvas, in: chrome.body)
  SweepLine(state).draw(on: &canvas, in: chrome.sweep)
  state.drawFoot(on: &canvas, in: chrome.hints)
  state.drawPalette(on: &canvas, over: chrome.body)
  state.drawQuestion(on: &canvas, over: chrome.body)
  state.drawNotice(on: &canvas, over: chrome)
  state.drawProblem(on: &canvas, over: chrome)
}

extension State {
  /// Draws the tabs, or the path to the top layer.
  fileprivate func drawTabs(on canvas: inout Canvas, in rect: Rect) {
    guard !layers.isEmpty else {
      tabBar.draw(on: &canvas, in: rect)
      return
    }
    let line = wayBack(columns: rect.columns, in: canvas.glyphs)
    let spare = rect.columns - line.width(in: canvas.glyphs)
    let figures: StyledText =
      if case .rows(let view)? = layers.last?.content {
        view.subject.tabs(columns: spare, in: canvas.glyphs)
      } else {
        []
      }
    canvas.put(line + figures, column: rect.column, row: rect.row, width: rect.columns)
  }

  /// Path from the panel to the current layer. On narrow screens, layers in between are left out, outermost
  /// first.
  private func wayBack(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let between = layers.dropLast().map(\.name)
    let shown = layers.last?.name ?? ""
    func line(without count: Int) -> StyledText {
      let left = (count > 0 ? [glyphs.ellipsis] : []) + between.dropFirst(count)
      return ([tab.title] + left).reduce(StyledText()) {
        $0 + [TextSpan(" \($1) ", .dim), TextSpan(glyphs.right + " ", .border)]
      } + [TextSpan(" \(shown) ", .selection)]
    }
    return (0..<between.count).lazy.map(line).first { $0.width(in: glyphs) <= columns }
      ?? line(without: between.count)
  }

  fileprivate func drawBody(on canvas: inout Canvas, in rect: Rect) {
    if var blocks, let cursor {
      if let readingNote, let main = page?.main { blocks[main].title = blocks[main].title + readingNote }
      BlockScreen(blocks: blocks, cursor: cursor, changed: cursor.changed.shown(at: uptime))
        .draw(on: &canvas, in: rect)
    } else {
      drawWaiting(on: &canvas, in: rect)
    }
  }

  private func drawWaiting(on canvas: inout Canvas, in rect: Rect) {
    let block =
      if let reason = pending.failure {
        Block(
          StyledText("\(tab.title): not read", .bad),
          .text([StyledText(reason), "", [TextSpan("R", .key), " tries again."]]))
      } else {
        Block(
          StyledText(tab.title), .text([StyledText("Reading the store\(canvas.glyphs.ellipsis)", .dim)]))
      }
    BlockScreen(blocks: [block], cursor: ListCursor()).draw(on: &canvas, in: rect)
  }

  fileprivate func drawFoot(on canvas: inout Canvas, in rect: Rect) {
    if let prompt {
      prompt.draw(on: &canvas, in: rect)
      if let promptProblem, fitsBeside(prompt, promptProblem, in: rect) {
        canvas.put(
          StyledText(promptProblem, .warn), column: rect.column, row: rect.row, width: rect.columns,
          align: .right)
      }
      return
    }
    guard confirmation == nil else { return }
    let hints = Rect(column: rect.column, row: rect.row, columns: hintColumns(in: rect), rows: 1)
    if let guide {
      canvas.put(guide.words, column: hints.column, row: hints.row, width: hints.columns)
    } else {
      keyHints.draw(on: &canvas, in: hints)
    }
  }

  private func fitsBeside(_ prompt: Prompt, _ problem: String, in rect: Rect) -> Bool {
    TextWidth.of(problem, in: glyphs) <= rect.columns - prompt.cursor - 16
  }

  /// Draws the problem of the typed text in a box, unless it fits beside the prompt.
  fileprivate func drawProblem(on canvas: inout Canvas, over chrome: Chrome) {
    guard let prompt, let promptProblem, !fitsBeside(prompt, promptProblem, in: chrome.hints) else { return }
    let level = Toast.Level.warn
    Box(StyledText("\(level.mark(in: canvas.glyphs)) \(level.word)", level.style))
      .draw(TextBlock([StyledText(promptProblem)]), on: &canvas, over: chrome.body)
  }

  fileprivate func drawPalette(on canvas: inout Canvas, over body: Rect) {
    if prompt != nil, purpose == .find, let suggestions {
      return SuggestionBox(
        suggestions: suggestions, isLooking: pending.isWaiting(for: .suggestions), formatter: formatter
      ).draw(on: &canvas, over: body)
    }
    guard let prompt, purpose == .command else { return }
    let entries = Palette(state: self).completions(of: recalled?.typed ?? prompt.text)
    let selected = entries.firstIndex { recalled != nil && $0.line == prompt.text }
    PaletteBox(entries: entries, selected: selected).draw(on: &canvas, over: body)
  }

  fileprivate func drawQuestion(on canvas: inout Canvas, over body: Rect) {
    guard let question else { return }
    Box(StyledText(question.title, .warn), isFocused: true)
      .draw(TextBlock(question.lines), on: &canvas, over: body)
  }

  fileprivate func drawNotice(on canvas: inout Canvas, over chrome: Chrome) {
    guard let toast = notice?.toast else { return }
    guard let width = toastColumns, width > chrome.hints.columns else {
      toast.draw(on: &canvas, in: prompt == nil ? chrome.hints : chrome.body)
      return
    }
    Box(StyledText(toast.mark(in: canvas.glyphs), toast.level.style))
      .draw(TextBlock([StyledText(toast.text)]), on: &canvas, over: chrome.body)
  }
}

extension Box {
  /// Draws at the bottom of the body, with space for the given rows. Returns the area inside frame and
  /// margin.
  func draw(on canvas: inout Canvas, over body: Rect, rows: Int) -> Rect {
    var body = body
    return draw(on: &canvas, in: body.cutBottom(rows + 2)).inset(columns: 1, rows: 0)
  }

  fileprivate func draw(_ text: TextBlock, on canvas: inout Canvas, over body: Rect) {
    let rows = text.rows(width: max(1, body.columns - 4), in: canvas.glyphs).count
    text.draw(on: &canvas, in: draw(on: &canvas, over: body, rows: rows))
  }
}

extension RowsView.Subject {
  /// Figures that Tab cycles through, with the current one in brackets; empty for a single figure.
  fileprivate func tabs(columns: Int, in glyphs: GlyphSet) -> StyledText {
    guard figures.count > 1 else { return [] }
    guard sides.isEmpty else { return tabs(sides.map(\.name)) }
    let parts = figures.map { $0.split(separator: ".").map(String.init) }
    let names = Self.withoutShared(figures.map { FigureWords($0, of: panel).name })
    // Alternatives for narrow screens: the last part of the path, the second part, or all parts except shared
    // numbers.
    let choices = [
      names, parts.map { $0.last ?? "" }, parts.map { $0.dropFirst().first ?? "" },
      parts.map { $0.filter { Int($0) == nil }.joined(separator: " ") },
    ].map { words in
      // Cells of the cohorts panel are named by months.
      words.map { panel == .cohorts && Int($0) != nil ? "retained" : $0.replacing("_", with: " ") }
    }
    let apart = choices.filter { Set($0).count == parts.count }.map(tabs)
    return apart.first { $0.width(in: glyphs) <= columns } ?? apart.dropFirst().first ?? tabs(choices[3])
  }

  /// Removes parts that all names share, before a colon or between commas.
  private static func withoutShared(_ names: [String]) -> [String] {
    let parts = names.map { $0.replacing(": ", with: ", ").split(separator: ", ").map(String.init) }
    let least = parts.map(\.count).min() ?? 0
    var (first, last) = (0, 0)
    while first < least - 1, Set(parts.map { $0[first] }).count == 1 { first += 1 }
    while first + last < least - 1, Set(parts.map { $0[$0.count - 1 - last] }).count == 1 { last += 1 }
    return parts.map { $0.dropFirst(first).dropLast(last).joined(separator: ", ") }
      .map { $0.prefix(1).lowercased() + $0.dropFirst() }
  }

  private func tabs(_ words: [String]) -> StyledText {
    words.enumerated().reduce(StyledText(" ")) { line, entry in
      line
        + (entry.offset == index
          ? [TextSpan(" [\(entry.element)]", .key)] : [TextSpan(" \(entry.element)", .dim)])
    }
  }
}

extension Layer {
  fileprivate var name: String {
    switch content {
    case .rows(let view): FigureWords(view.subject.figure, of: view.subject.panel).name
    case .compared(let view): view.title
    case .comparisons: "Compare"
    case .alerts: "Alerts"
    case .chains(let view): "Found for \(view.query.text)"
    case .receipts(let view): view.name
    case .chain(let view): "Subscription history \(view.chain.originalTransactionId)"
    case .evidence: "Fields"
    case .messages: "Messages"
    case .json: "JSON"
    case .products: "One alone"
    case .help: "Keys"
    }
  }
}

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

/// Suggestions for the search text, above the prompt.
struct SuggestionBox {
  let suggestions: Suggestions
  let isLooking: Bool
  let formatter: DisplayFormatter

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
      let words = entries.map { $0.words(in: formatter) }
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
    return "Enter opens \(nearest.words(in: formatter).text)"
  }
}

struct TooSmallScreen {
  let size: Size

  func draw(on canvas: inout Canvas) {
    let needed = Chrome.minimum
    let lines: [StyledText] = [
      StyledText("Too small: \(size.columns)x\(size.rows)", .warn),
      StyledText("needs \(needed.columns)x\(needed.rows)"),
      [TextSpan("q", .key), " quits"],
    ]
    let top = max(0, (canvas.bounds.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      canvas.put(line, column: 0, row: top + index, width: canvas.bounds.columns, align: .centre)
    }
  }
}
