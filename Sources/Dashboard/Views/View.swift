import Screen
import Subscriptions

/// Draws the state; a screen that is too small shows only a message.
public func view(_ state: State, on canvas: inout Canvas) {
  guard !state.isTooSmall else {
    return drawTooSmall(state, on: &canvas)
  }
  let chrome = Chrome(state.size)
  if chrome.sweep.isEmpty, state.sweep.isActive {
    SweepLine(state: state).draw(on: &canvas, in: chrome.header)
  } else {
    Header(state: state).draw(on: &canvas, in: chrome.header)
  }
  state.drawTabs(on: &canvas, in: chrome.tabs)
  state.drawBody(on: &canvas, in: chrome.body)
  SweepLine(state: state).draw(on: &canvas, in: chrome.sweep)
  state.drawFoot(on: &canvas, in: chrome.hints)
  state.drawPalette(on: &canvas, over: chrome.body)
  state.drawQuestion(on: &canvas, over: chrome.body)
  state.drawNotice(on: &canvas, over: chrome)
  state.drawProblem(on: &canvas, over: chrome)
}

private func drawTooSmall(_ state: State, on canvas: inout Canvas) {
  let (size, needed) = (state.size, Chrome.minimum)
  let lines: [StyledText] = [
    StyledText("Too small: \(size.columns)x\(size.rows)", .warn),
    StyledText("needs \(needed.columns)x\(needed.rows)"),
    [
      TextSpan(state.quitKey?.name ?? "q", .key),
      TextSpan(state.quitKey == nil ? " quits" : " again to quit"),
    ],
  ]
  let top = max(0, (canvas.bounds.rows - lines.count) / 2)
  for (index, line) in lines.enumerated() {
    canvas.put(line, column: 0, row: top + index, width: canvas.bounds.columns, align: .centre)
  }
}

extension State {
  fileprivate func drawTabs(on canvas: inout Canvas, in rect: Rect) {
    guard !layers.isEmpty else { return tabBar.draw(on: &canvas, in: rect) }
    var line = wayBack(columns: rect.columns, in: canvas.glyphs)
    let subject = if case .rows(let view)? = top { view.subject } else { RowsView.Subject?.none }
    // A list of figures already contains the current name in brackets.
    if subject?.figures.count ?? 0 < 2 || subject?.sides.isEmpty == false {
      line = line + [TextSpan(" \(layers.last?.name ?? "") ", .selection)]
    }
    if let subject, subject.figures.count > 1 {
      let room = rect.columns - line.width(in: canvas.glyphs)
      line = line + subject.tabs(columns: room, in: canvas.glyphs)
    }
    canvas.put(line, column: rect.column, row: rect.row, width: rect.columns)
  }

  /// Returns the path from the tab to the layer below the current layer, shortened if it does not fit.
  private func wayBack(columns: Int, in glyphs: GlyphSet) -> StyledText {
    func line(_ names: [String]) -> StyledText {
      names.reduce(StyledText()) { $0 + [TextSpan(" \($1) ", .dim), TextSpan(glyphs.right + " ", .border)] }
    }
    let whole = line([tab.title] + layers.dropLast().map(\.name))
    let name = TextWidth.of(layers.last?.name ?? "", in: glyphs) + 2
    return whole.width(in: glyphs) + name <= columns || layers.count < 2
      ? whole : line([tab.title, glyphs.ellipsis])
  }

  fileprivate func drawBody(on canvas: inout Canvas, in rect: Rect) {
    if var blocks, let cursor {
      if let readingNote, let main = page?.main {
        blocks[main].title = blocks[main].title + readingNote
        blocks[main].brief = blocks[main].brief.map { $0 + readingNote }
      }
      BlockScreen(blocks: blocks, cursor: cursor, changed: cursor.changed.shown(at: uptime))
        .draw(on: &canvas, in: rect)
    } else {
      drawWaiting(on: &canvas, in: rect)
    }
  }

  private func drawWaiting(on canvas: inout Canvas, in rect: Rect) {
    let isElsewhere = origin != nil && (tab == .sweep || tab == .reconcile)
    let reading =
      isElsewhere
      ? StyledText("A shared view has only what was published. See this tab on the machine with the store.")
      : StyledText("Reading the store\(canvas.glyphs.ellipsis)", .dim)
    let block =
      pending.failure.map { reason in
        Block(
          StyledText("\(tab.title): could not be read", .bad),
          .text([StyledText(reason), "", [TextSpan("R", .key), " retries."]]))
      } ?? Block(StyledText(tab.title), .text([reading]))
    BlockScreen(blocks: [block], cursor: ListCursor()).draw(on: &canvas, in: rect)
  }

  fileprivate func drawFoot(on canvas: inout Canvas, in rect: Rect) {
    if let prompt { return prompt.draw(on: &canvas, in: rect) }
    guard question == nil else { return }
    let hints = Rect(column: rect.column, row: rect.row, columns: hintColumns(in: rect), rows: 1)
    if let guide {
      canvas.put(guide.words, column: hints.column, row: hints.row, width: hints.columns)
    } else {
      keyHints.draw(on: &canvas, in: hints)
    }
  }

  fileprivate func drawProblem(on canvas: inout Canvas, over chrome: Chrome) {
    if let problem = prompting?.problem { drawInBox(Toast(problem, .warn), on: &canvas, over: chrome.body) }
  }

  fileprivate func drawPalette(on canvas: inout Canvas, over body: Rect) {
    if let suggestions = prompting?.suggestions {
      // Until the store has answered, results may still arrive.
      let empty = suggestions.ids == nil ? "" : "Nothing matches \"\(suggestions.text)\"."
      return ChoiceBox(
        title: "Find", choices: suggestions.choices, selected: suggestions.selected,
        note: suggestions.note(isLooking: pending[.suggestions] != nil), emptyText: empty
      ).draw(on: &canvas, over: body)
    }
    guard let prompting, prompting.purpose == .command else { return }
    let (text, recalled) = (prompting.line.text, prompting.recalled)
    let choices = Palette(state: self).completions(of: recalled?.typed ?? text)
    guard !choices.isEmpty else { return }
    let selected = choices.firstIndex { recalled != nil && $0.line == text }
    ChoiceBox(title: "Commands", choices: choices, selected: selected).draw(on: &canvas, over: body)
  }

  fileprivate func drawQuestion(on canvas: inout Canvas, over body: Rect) {
    guard let question else { return }
    Box(StyledText(question.title, .warn), isFocused: true)
      .draw(TextBlock(question.lines), on: &canvas, over: body)
  }

  fileprivate func drawNotice(on canvas: inout Canvas, over chrome: Chrome) {
    guard let toast = notice?.toast else { return }
    guard let width = toastColumns, width > chrome.hints.columns else {
      return toast.draw(on: &canvas, in: prompt == nil ? chrome.hints : chrome.body)
    }
    drawInBox(toast, on: &canvas, over: chrome.body)
  }

  private func drawInBox(_ toast: Toast, on canvas: inout Canvas, over body: Rect) {
    Box(StyledText(toast.mark(in: canvas.glyphs), toast.level.style))
      .draw(TextBlock([StyledText(toast.text)]), on: &canvas, over: body)
  }
}

extension Box {
  /// Draws the box at the body's bottom with `rows` inner rows, and returns the area inside frame and margin.
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
  /// Returns the names of the figures that Tab cycles through, with the current name in brackets.
  ///
  /// Leading names are omitted if the current name does not fit otherwise.
  fileprivate func tabs(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let words = Self.withoutShared(figures.map { FigureWords($0, of: panel).name })
    let paths = figures.map { path in
      path.split(separator: ".").filter { Int($0) == nil }.joined(separator: " ").replacing("_", with: " ")
    }
    let names = !sides.isEmpty ? sides.map(\.name) : Set(words).count == words.count ? words : paths
    let all: [StyledText] = names.enumerated().map { place, name in
      place == index ? [TextSpan("[\(name)]", .key)] : [TextSpan(name, .dim)]
    }
    let first =
      (0..<index).first { first in
        Array(all[first...index]).joined(by: " ").width(in: glyphs) + 4 <= columns
      } ?? index
    return [TextSpan(first == 0 ? " " : " \(glyphs.ellipsis) ", .dim)] + Array(all[first...]).joined(by: " ")
  }

  /// Returns names without the first and last parts that all share; colons and commas separate parts.
  private static func withoutShared(_ names: [String]) -> [String] {
    let parts = names.map { $0.replacing(": ", with: ", ").split(separator: ", ").map(String.init) }
    let least = parts.map(\.count).min() ?? 0
    var (first, last) = (0, 0)
    while first < least - 1, Set(parts.map { $0[first] }).count == 1 { first += 1 }
    while first + last < least - 1, Set(parts.map { $0[$0.count - 1 - last] }).count == 1 { last += 1 }
    return parts.map { $0.dropFirst(first).dropLast(last).joined(separator: ", ") }
      .map { $0.prefix(1).lowercased() + $0.dropFirst() }
  }
}

/// Choices for the typed text, above the prompt.
struct ChoiceBox {
  let title: StyledText
  let choices: [Choice]
  /// Index of the selected choice; `nil` if the user has selected none.
  let selected: Int?
  var note = ""
  var emptyText = ""

  func draw(on canvas: inout Canvas, over body: Rect) {
    guard body.rows > 4 else { return }
    let rows = min(max(1, choices.count), Palette.page, body.rows - 3)
    let first = max(0, (selected ?? 0) - rows + 1)
    let shown = choices.dropFirst(first).prefix(rows)
    let place =
      choices.count > rows ? "\(first + 1)\(canvas.glyphs.dash)\(first + rows) of \(choices.count)" : ""
    let inner = Box(title, note: StyledText(note.isEmpty ? place : note, .dim), isFocused: true)
      .draw(on: &canvas, over: body, rows: rows)
    canvas.within(inner) { canvas in
      if choices.isEmpty { canvas.put(emptyText, column: 0, row: 0, .warn) }
      let columns = canvas.bounds.columns
      let names = min(
        max(28, columns / 2 + 1), shown.map { TextWidth.of($0.line, in: canvas.glyphs) }.max() ?? 0)
      for (row, choice) in shown.enumerated() {
        let style: Style = selected == first + row ? .selection : .key
        canvas.put(StyledText(choice.line, style), column: 0, row: row, width: names, cut: .middle)
        let keys = TextWidth.of(choice.keys, in: canvas.glyphs)
        canvas.put(choice.what, column: names + 2, row: row, width: max(0, columns - names - 4 - keys))
        canvas.put(StyledText(choice.keys, .dim), column: 0, row: row, width: columns, align: .right)
      }
    }
  }
}
