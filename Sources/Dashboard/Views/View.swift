import Screen
import Subscriptions

/// Draws the state. Cannot fail, at any size.
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
  state.drawNotice(on: &canvas, over: chrome)
}

extension State {
  /// The panels' names, or the way back to them from what stands over them.
  fileprivate func drawTabs(on canvas: inout Canvas, in rect: Rect) {
    guard !layers.isEmpty else {
      tabBar.draw(on: &canvas, in: rect)
      return
    }
    let names = [tab.title] + layers.map(\.name)
    let crumbs = names.enumerated().map { index, name in
      TextSpan(" \(name) ", index == names.count - 1 ? .selection : .dim)
    }
    let line = crumbs.dropFirst().reduce(StyledText([crumbs[0]])) {
      $0 + [TextSpan(canvas.glyphs.right + " ", .border), $1]
    }
    let figures: StyledText = if case .rows(let view)? = layers.last { view.subject.tabs } else { [] }
    canvas.put(line + figures, column: rect.column, row: rect.row, width: rect.columns)
  }

  fileprivate func drawBody(on canvas: inout Canvas, in rect: Rect) {
    if let blocks, let cursor {
      BlockScreen(blocks: blocks, cursor: cursor).draw(on: &canvas, in: rect)
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
      if let promptProblem {
        let words = StyledText(promptProblem, .warn)
        let room = min(words.width(in: canvas.glyphs), max(0, rect.columns - prompt.cursor - 16))
        canvas.put(words, column: rect.endColumn - room, row: rect.row, width: room)
      }
      return
    }
    let isTop = layers.isEmpty && product == nil
    var room = rect
    if let width = toastColumns(in: canvas.glyphs), width <= rect.columns { _ = room.cutRight(width + 1) }
    KeyHints(
      keys.hints(
        in: context, readOnly: isReadOnly, isTop: isTop, isPaused: sweep.isPauseWanted,
        without: uselessCommands)
    ).draw(on: &canvas, in: room)
  }

  fileprivate func drawPalette(on canvas: inout Canvas, over body: Rect) {
    guard let prompt, purpose == .command else { return }
    let entries = Palette(state: self).completions(of: recalled?.typed ?? prompt.text)
    let selected = entries.firstIndex { recalled != nil && $0.line == prompt.text }
    PaletteBox(entries: entries, selected: selected).draw(on: &canvas, over: body)
  }

  private var uselessCommands: Set<Command> {
    var useless: Set<Command> =
      sweep.isActive
      ? [.sweepDue, .sweepAll, .sweepDead, .sweepChain] : [.pauseOrResume, .stopSweep]
    if let queue = sweepView.queue, queue.dead.isEmpty { useless.insert(.sweepDead) }
    if case .rows(let view)? = layers.last, view.subject.figures.count < 2 { useless.insert(.nextFigure) }
    return useless
  }

  private func toastColumns(in glyphs: GlyphSet) -> Int? {
    notice.map { TextWidth.of($0.toast.text, in: glyphs) + 4 }
  }

  /// Over the line of keys where it fits, else in a box above it.
  fileprivate func drawNotice(on canvas: inout Canvas, over chrome: Chrome) {
    guard let toast = notice?.toast else { return }
    guard let width = toastColumns(in: canvas.glyphs), width > chrome.hints.columns else {
      toast.draw(on: &canvas, in: prompt == nil ? chrome.hints : chrome.body)
      return
    }
    let text = TextBlock([StyledText(toast.text)])
    var body = chrome.body
    let rows = text.rows(width: max(1, body.columns - 4), in: canvas.glyphs).count
    let box = body.cutBottom(rows + 2)
    let inner = Box(StyledText(toast.mark(in: canvas.glyphs), toast.style)).draw(on: &canvas, in: box)
    text.draw(on: &canvas, in: inner.inset(columns: 1, rows: 0))
  }
}

extension Toast {
  /// The level in a sign and a word, for those who see no colours.
  fileprivate func mark(in glyphs: GlyphSet) -> String {
    switch level {
    case .info: "\(glyphs.bullet) Note"
    case .good: "\(glyphs.tick) Done"
    case .warn: "\(glyphs.warning) Mind"
    case .bad: "\(glyphs.cross) Failed"
    }
  }

  fileprivate var style: Style {
    switch level {
    case .info: .info
    case .good: .good
    case .warn: .warn
    case .bad: .bad
    }
  }
}

extension RowsView.Subject {
  /// The figures that Tab goes round, where there are several: `due [renewed] pending lost`.
  fileprivate var tabs: StyledText {
    guard figures.count > 1 else { return [] }
    let parts = figures.map { $0.split(separator: ".").map(String.init) }
    // What tells them apart: the result, or the value that each is of.
    let words =
      Set(parts.map { $0.last ?? "" }).count == parts.count
      ? parts.map { $0.last ?? "" } : parts.map { $0.dropFirst().first ?? "" }
    return words.enumerated().reduce(StyledText(" ")) { line, entry in
      line
        + (entry.offset == index
          ? [TextSpan(" [\(entry.element)]", .key)] : [TextSpan(" \(entry.element)", .dim)])
    }
  }
}

extension Layer {
  fileprivate var name: String {
    switch self {
    case .rows(let view): FigureWords(view.subject.figure, of: view.subject.panel).name
    case .chains(let view): "Found for \(view.sought.text)"
    case .chain(let view): "Chain \(view.chain.originalTransactionId)"
    case .json: "JSON"
    case .products: "Products"
    case .help: "Keys"
    }
  }
}
