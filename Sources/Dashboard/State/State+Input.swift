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

  /// Screen that receives keys, unless a prompt is open.
  public var context: KeyContext {
    if isTooSmall { return .tooSmall }
    switch layers.last?.content {
    case .rows?: return .rows
    case .chains?: return .chains
    case .chain?: return .chain
    case .receipts?: return .receipts
    case .evidence?: return .evidence
    case .json?: return .json
    // These are lists to choose from.
    case .products?, .comparisons?, .alerts?: return .products
    case .compared?: return .compared
    case .help?: return .help
    case .messages?: return .messages
    case nil: break
    }
    return switch tab {
    case .sweep: .sweep
    case .panel(.cohorts): .cohorts
    case .panel(.movement): .movement
    case .panel: .panel
    }
  }

  private mutating func press(_ key: Key) -> [Effect] {
    let command = keys.command(for: key, in: context, readOnly: isReadOnly)
    if let command, [.quit, .suspend, .redraw].contains(command) { return perform(command) }
    // Also on a screen that is too small to show the prompt: typed text is never a command.
    if prompt != nil { return pressInPrompt(key) }
    if confirmation != nil, !isTooSmall { return answer(key) }
    if isTypedBlindly(key) { return [] }
    if let command {
      let effects = perform(command)
      noteRefusal(of: command)
      return effects
    }
    if let refusal = keys.refusal(of: key, in: context, readOnly: isReadOnly) { say(refusal) }
    if keys.opensPrompt(key) { blindTyping = uptime }
    return []
  }

  /// Maximum milliseconds between two keys of typed text.
  private static let typing: Int64 = 700

  /// Whether the user keeps typing text for a prompt that did not open. Ends with Enter, Escape or a pause.
  private mutating func isTypedBlindly(_ key: Key) -> Bool {
    guard let last = blindTyping, uptime - last < Self.typing else {
      blindTyping = nil
      return false
    }
    switch key {
    case .character, .backspace, .left, .right:
      blindTyping = uptime
      return true
    case .enter, .escape:
      blindTyping = nil
      return true
    default:
      blindTyping = nil
      return false
    }
  }

  private mutating func noteRefusal(of command: Command) {
    blindTyping = command.opensPrompt && prompt == nil ? uptime : nil
  }
}

extension State {
  /// Lines per turn of the wheel.
  private static let wheelLines = 3

  mutating func take(_ mouse: Mouse) -> [Effect] {
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

  /// Sorts by a clicked column. A second click reverses the order.
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
    if confirmation != nil {
      confirmation = nil
      say("Nothing was swept.")
      return []
    }
    if let tab = tabBar.tab(at: point, in: chrome.tabs, glyphs: glyphs), Tab.all.indices.contains(tab) {
      return show(Tab.all[tab])
    }
    if chrome.hints.contains(point) { return clickHint(at: point, in: chrome.hints) }
    guard chrome.body.contains(point), let blocks, var cursor else { return [] }
    let layout = layout(of: blocks)
    let local = Point(
      column: point.column - chrome.body.column,
      row: point.row - chrome.body.row + min(cursor.scroll, layout.maximumScroll))
    if let spot = layout.spots.first(where: { $0.rect.contains(local) }) {
      if cursor.spot == spot.id { return open() }
      cursor.choose(spot, in: layout)
      self.cursor = cursor
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
    cursor.spot = nil
    cursor.offset = table.scrolledOffset(visible: layout.visibleRows)
    cursor.selected = row.id
    cursor.isMoved = true
    self.cursor = cursor
    return []
  }

  private mutating func click(_ point: Point, on map: HeatMap, in room: Rect) -> [Effect] {
    guard let place = map.place(at: point, in: room, glyphs: glyphs), var cursor else { return [] }
    if cursor.spot == nil, map.selected == place { return open() }
    cursor.spot = nil
    cursor.selected = place.row
    cursor.across.column = place.column
    cursor.isMoved = true
    self.cursor = cursor
    return []
  }
}
