import Screen
import Subscriptions

extension State {
  /// Lines that one turn of the wheel moves.
  private static let wheelLines = 3

  mutating func take(_ mouse: Mouse) -> [Effect] {
    guard prompt == nil, !isTooSmall else { return [] }
    switch mouse.action {
    case .wheelUp: move(.up, by: State.wheelLines)
    case .wheelDown: move(.down, by: State.wheelLines)
    case .left: return click(mouse.at)
    case .middle, .right: break
    }
    return []
  }

  /// By the column whose title was clicked; the second time the other way round.
  private mutating func sort(byTitle column: Int, of listing: Listing) -> [Effect] {
    let field = listing.fieldNames[column]
    guard !field.isEmpty else { return [] }
    guard arrangement.sort?.field != field else { return reverseSort() }
    return sort(byColumn: field, descending: false)
  }

  private mutating func click(_ point: Point) -> [Effect] {
    let chrome = Chrome(size)
    if let tab = tabBar.tab(at: point, in: chrome.tabs, glyphs: glyphs), Tab.all.indices.contains(tab) {
      return show(Tab.all[tab])
    }
    guard chrome.body.contains(point), let blocks, var place else { return [] }
    let layout = BlockLayout(blocks, in: chrome.body.size, glyphs: glyphs)
    let local = Point(
      column: point.column - chrome.body.column,
      row: point.row - chrome.body.row + min(place.scroll, layout.maximumScroll))
    if let spot = layout.spots.first(where: { $0.rect.contains(local) }) {
      if place.spot == spot.id { return open() }
      place.choose(spot, in: layout)
      self.place = place
      return []
    }
    guard let main = layout.main, let listing = blocks[main.index].listing else { return [] }
    let inner = main.rect.inset(columns: 2, rows: 1)
    let table = listing.table(selected: place.selected, offset: place.offset)
    let shown = listing.table(
      selected: place.selected, offset: place.offset, columns: inner.columns, in: glyphs)
    if let column = shown.title(at: local, in: inner) { return sort(byTitle: column, of: listing) }
    guard let row = table.row(at: local, in: inner) else { return [] }
    if place.spot == nil, place.selected == row.id { return open() }
    place.spot = nil
    place.offset = table.scrolledOffset(visible: layout.visibleRows)
    place.selected = row.id
    place.isMoved = true
    self.place = place
    return []
  }
}
