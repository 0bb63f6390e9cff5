import Screen
import Subscriptions

extension State {
  mutating func take(_ input: InputEvent) -> [Effect] {
    switch input {
    case .resize(let size):
      self.size = size
      settle()
      return []
    case .key(let key): return press(key)
    case .mouse(let mouse): return take(mouse)
    case .paste(let text): return paste(text)
    }
  }

  /// Kind of the visible screen, which decides what a key does while no prompt is open.
  public var context: KeyContext {
    if isTooSmall { return .tooSmall }
    if let layer = layers.last { return layer.context }
    return switch tab {
    case .sweep: .sweep
    case .reconcile: .reconcile
    case .panel(.cohorts): .cohorts
    case .panel(.movement): .movement
    case .panel: .panel
    }
  }

  private mutating func press(_ key: Key) -> [Effect] {
    if let asked = quitKey {
      quitKey = nil
      if !isTemporary { notice = nil }
      if key == asked || isTemporary && [.enter, .character("y")].contains(key) { return [.quit] }
      if isTemporary { return [] }
    }
    let command = keys.command(for: key, in: context, readOnly: isReadOnly)
    // Ctrl+C asks before it quits, even if the key map binds it to `quit`.
    if key == .control("c") { return askToQuit(by: key) }
    if let command, [.quit, .suspend, .redraw].contains(command) { return perform(command) }
    // A prompt receives keys even if the screen is too small to show it, so that its text runs no commands.
    if prompt != nil { return pressInPrompt(key) }
    if confirmation != nil, !isTooSmall { return answer(key) }
    if isTypedBlindly(key) { return [] }
    if command == .leave { return leave(by: key) }
    // The guide says that this key ends it.
    if command == .stopSweep, guide != nil {
      guide = nil
      return []
    }
    if let command {
      let effects = perform(command)
      blindTyping = command.opensPrompt && prompt == nil ? uptime : nil
      return effects
    }
    if keys.opensPrompt(key) { blindTyping = uptime }
    // A refusal names screens on which the key works, but a window that is too small shows none of them.
    if isTooSmall { return [] }
    let refusal = keys.refusal(of: key.name, in: context, readOnly: isReadOnly) { $0.keys.contains(key) }
    return refusal.map { say($0) } ?? []
  }

  /// Maximum milliseconds between two keys of typed text.
  private static let typing: Int64 = 700

  /// Whether the key belongs to text for a prompt that did not open, and therefore runs no command.
  ///
  /// Characters, Backspace, Left and Right continue the text; Enter, Escape, other keys or a pause end it.
  private mutating func isTypedBlindly(_ key: Key) -> Bool {
    guard let last = blindTyping, uptime - last < Self.typing else { return false }
    switch key {
    case .character, .backspace, .left, .right:
      blindTyping = uptime
      return true
    default:
      blindTyping = nil
      return key == .enter || key == .escape
    }
  }
}

extension State {
  private static let wheelLines = 3

  mutating func take(_ mouse: Mouse) -> [Effect] {
    quitKey = nil
    guard prompt == nil, !isTooSmall else { return [] }
    guard confirmation == nil || mouse.action == .left else { return [] }
    switch mouse.action {
    case .wheelUp: move(.up, by: State.wheelLines)
    case .wheelDown: move(.down, by: State.wheelLines)
    case .left: return click(mouse.at)
    case .middle, .right: break
    }
    return []
  }

  private mutating func sort(byTitle column: Int, of listing: Listing) -> [Effect] {
    let field = listing.fieldNames[column]
    guard !field.isEmpty else { return [] }
    guard arrangement.sort?.field != field else { return reverseSort() }
    return sort(byColumn: field, descending: false)
  }

  private mutating func clickHint(at point: Point, in rect: Rect) -> [Effect] {
    guard
      let hint = keyHints.hint(at: point.column - rect.column, fitting: hintColumns(in: rect), in: glyphs),
      let key = Key(named: hint.key)
    else { return [] }
    return take(.key(key))
  }

  private mutating func click(_ point: Point) -> [Effect] {
    let chrome = Chrome(size)
    if confirmation != nil { return answer(nil) }
    if let tab = tabBar.tab(at: point, in: chrome.tabs, glyphs: glyphs), Tab.all.indices.contains(tab) {
      return show(Tab.all[tab])
    }
    if chrome.hints.contains(point) { return clickHint(at: point, in: chrome.hints) }
    guard chrome.body.contains(point), let blocks, let cursor else { return [] }
    let layout = layout(of: blocks)
    let local = Point(
      column: point.column - chrome.body.column,
      row: point.row - chrome.body.row + min(cursor.scroll, layout.maximumScroll))
    if let spot = layout.spots.first(where: { $0.rect.contains(local) }) {
      if cursor.spot == spot.id { return open() }
      self.cursor?.choose(spot, in: layout)
      return []
    }
    guard let main = layout.main, let listing = blocks[main.index].listing else { return [] }
    let inner = main.rect.inset(columns: 2, rows: 1)
    if let map = listing.heatMap(selected: cursor.selected, offset: cursor.offset, across: cursor.across) {
      return click(local, on: map, in: inner)
    }
    let table = listing.table(selected: cursor.selected, offset: cursor.offset)
    if let column = table.title(at: local, in: inner) { return sort(byTitle: column, of: listing) }
    guard let row = table.row(at: local, in: inner) else { return [] }
    if cursor.spot == nil, cursor.selected == row.id { return open() }
    self.cursor?.select(row.id)
    self.cursor?.offset = table.scrolledOffset(visible: layout.visibleRows)
    return []
  }

  private mutating func click(_ point: Point, on map: HeatMap, in room: Rect) -> [Effect] {
    guard let place = map.place(at: point, in: room, glyphs: glyphs) else { return [] }
    if cursor?.spot == nil, map.selected == place { return open() }
    cursor?.select(place.row)
    cursor?.across.column = place.column
    return []
  }
}

extension State {
  var page: Page? {
    get {
      if let top = layers.last { return top.page }
      return switch tab {
      case .panel(let panel): panels[panel]?.page
      case .sweep: sweepView.page.blocks.isEmpty ? nil : sweepView.page
      case .reconcile: reconciled.page.blocks.isEmpty ? nil : reconciled.page
      }
    }
    set {
      guard let newValue else { return }
      guard layers.isEmpty else {
        layers[layers.count - 1].page = newValue
        return
      }
      switch tab {
      case .panel(let panel): panels[panel]?.page = newValue
      case .sweep: sweepView.page = newValue
      case .reconcile: reconciled.page = newValue
      }
    }
  }

  mutating func replaceTop(by layer: Layer) {
    let cursor = layers.removeLast().page.cursor
    layers.append(layer)
    self.cursor = cursor
  }

  var blocks: [Block]? { page?.blocks }

  var cursor: ListCursor? {
    get { page?.cursor }
    set { if let newValue { page?.cursor = newValue } }
  }

  func layout(of blocks: [Block]) -> BlockLayout {
    BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs)
  }

  mutating func move(_ movement: Command.Movement, by lines: Int = 1) {
    guard let page else { return }
    let layout = layout(of: page.blocks)
    cursor?.move(movement, lines: lines, in: layout, listing: page.listing)
  }

  /// Moves the selection to a cell or block on a side, or else shows the next or previous tab.
  ///
  /// If `isFromAnywhere`, only blocks are targets.
  mutating func moveAside(_ side: Command.Side, isFromAnywhere: Bool = false) -> [Effect] {
    if let page {
      let (layout, listing) = (layout(of: page.blocks), page.listing)
      if isFromAnywhere {
        _ = cursor?.goToBox(side, in: layout, listing: listing)
      } else if cursor?.moveAside(side, in: layout, listing: listing) == true {
        return []
      }
    }
    return isFromAnywhere ? [] : perform(side == .right ? .nextPanel : .previousPanel)
  }

  /// Keeps the selection visible after a change of size or content.
  mutating func settle() {
    guard let blocks else { return }
    // A chain may be scrolled so that its selected transaction is out of view.
    if shownChain != nil, cursor?.spot != nil { return }
    let (room, glyphs) = (Chrome(size).body.size, glyphs)
    cursor?.keep(to: blocks, in: room, glyphs: glyphs)
  }
}

extension Command.Movement {
  /// Returns the number of rows to move down; negative for up.
  func distance(page: Int, lines: Int) -> Int {
    switch self {
    case .up: -lines
    case .down: lines
    case .pageUp: -page
    case .pageDown: page
    case .halfPageUp: -max(1, page / 2)
    case .halfPageDown: max(1, page / 2)
    case .first: -State.manyRows
    case .last: State.manyRows
    }
  }
}
