import Screen

/// Position on a screen of blocks: selection, scrolling and marks.
struct ListCursor: Hashable, Sendable {
  var spot: Spot.ID?
  var selected: String?
  var isMoved = false
  var offset = 0
  var across = AcrossCursor()
  /// First visible row of the blocks.
  var scroll = 0
  /// Targets of the marked rows, which identify them across refreshes.
  var marked: Set<DrillDown> = []
  var changed = ChangedRows()
}

extension ListCursor {
  /// Keeps the selection, or resets it if its row or figure is gone.
  ///
  /// Until the user moves it, the selection is on the list's first row, or on the first figure if the screen
  /// scrolls.
  mutating func keep(to blocks: [Block], in room: Size, glyphs: GlyphSet) {
    let layout = BlockLayout(blocks, in: room, glyphs: glyphs)
    let spots = layout.spots
    if let id = spot {
      if let kept = spots.first(where: { $0.id == id }) { return choose(kept, in: layout) }
      spot = nil
    }
    guard let listing = blocks.first(where: { $0.span == .main })?.listing else {
      (spot, scroll) = (spots.first?.id, 0)
      return
    }
    if !isMoved || !listing.rows.contains(where: { $0.id == selected }) {
      (selected, offset, isMoved) = (nil, 0, false)
    }
    guard selected == nil else {
      scroll = layout.maximumScroll
      return
    }
    if layout.maximumScroll == 0 || spots.isEmpty, let first = listing.rows.first {
      selected = first.id
    } else if let first = spots.first {
      spot = first.id
      scroll = 0
    }
  }

  mutating func stay(in layout: BlockLayout) {
    scroll = min(scroll, layout.maximumScroll)
    if let id = spot, !layout.spots.contains(where: { $0.id == id }) { spot = nil }
  }

  /// Moves the selection through all figures and the rows of the list; `up` and `down` move it by `lines`.
  mutating func move(_ movement: Command.Movement, lines: Int, in layout: BlockLayout, listing: Listing?) {
    scroll = min(scroll, layout.maximumScroll)
    let stops = layout.stops(listing)
    let page = movement.distance(page: max(1, layout.room.rows - 2), lines: lines)
    guard !stops.isEmpty else {
      scroll = min(layout.maximumScroll, max(0, scroll + page))
      return
    }
    isMoved = true
    let isAtFirst = selected == nil || selected == listing?.rows.first?.id
    switch movement {
    case .first where spot != nil || isAtFirst:
      guard let first = stops[0] else {
        enterList(at: selected, in: layout, listing)
        scroll = 0
        return
      }
      // Scrolls to the top if the figure stays visible, or if the key is repeated.
      let isThere = spot == first.id
      choose(first, in: layout)
      if isThere || first.rect.endRow <= layout.room.rows { scroll = 0 }
    case .last:
      if stops.contains(nil) { return enterList(at: listing?.rows.last?.id, in: layout, listing) }
      if let last = stops.last ?? nil {
        // Scrolls to the end if the element stays visible, or if the key is repeated.
        let isThere = spot == last.id
        choose(last, in: layout)
        guard isThere || last.rect.row >= layout.maximumScroll else { return }
      }
      scroll = layout.maximumScroll
    default:
      let rows = movement.distance(page: max(1, layout.visibleRows - 1), lines: lines)
      guard spot != nil || selected == nil || isAtFirst && rows < 0 else {
        return moveInList(by: rows, in: layout, listing)
      }
      let start = scroll
      for _ in 0..<min(page.magnitude, 1000) {
        let before = self
        step(down: page > 0, stops, in: layout, listing)
        // A move ends before it scrolls by more than one screen, so that no row is skipped.
        guard (scroll - start).magnitude > layout.room.rows else { continue }
        self = before
        return
      }
    }
  }

  /// Moves to the next cell in a heat map, elsewhere to the next block; returns `false` if there is no block.
  mutating func moveAside(_ side: Command.Side, in layout: BlockLayout, listing: Listing?) -> Bool {
    if spot == nil, let listing, listing.shaded != nil {
      moveAcross(side, in: layout, listing)
      return true
    }
    return goToBox(side, in: layout, listing: listing)
  }

  /// Moves from any row to the nearest block on a side, and returns whether there is such a block.
  ///
  /// If no block is at the left or right, the target is the previous or next block.
  mutating func goToBox(_ side: Command.Side, in layout: BlockLayout, listing: Listing?) -> Bool {
    let stops = layout.stops(listing)
    func block(_ place: Int) -> Rect {
      stops[place].flatMap { layout.rect(ofBlock: $0.id.block) } ?? layout.main?.rect ?? Rect(layout.room)
    }
    let starts = stops.indices.filter { $0 == 0 || block($0) != block($0 - 1) }
    guard let here = place(in: stops) ?? starts.first else { return false }
    let old = block(here)
    /// Returns a block's distance, mainly in the direction of `side`; negative if it is not on that side.
    func distance(_ place: Int) -> Int {
      let new = block(place)
      let isBeside = new.row < old.endRow && old.row < new.endRow
      let gap =
        switch side {
        case .up: old.row - new.endRow
        case .down: new.row - old.endRow
        case .left: isBeside ? old.column - new.endColumn : -1
        case .right: isBeside ? new.column - old.endColumn : -1
        }
      return gap < 0 ? -1 : gap * 1000 + abs(new.row - old.row) + abs(new.column - old.column)
    }
    let nearest = starts.filter { distance($0) >= 0 }.min { distance($0) < distance($1) }
    let next = side == .right ? starts.first { $0 > here } : starts.last { $0 < here && block($0) != old }
    guard let target = nearest ?? ([.left, .right].contains(side) ? next : nil) else { return false }
    if let spot = stops[target] {
      choose(spot, in: layout)
    } else {
      enterList(at: selected, in: layout, listing)
    }
    return true
  }

  private mutating func moveAcross(_ side: Command.Side, in layout: BlockLayout, _ listing: Listing) {
    guard let selected, let room = layout.mainRoom,
      let next = listing.shaded?.column(in: selected, beside: across.column, by: side == .right ? 1 : -1)
    else { return }
    across.column = next
    isMoved = true
    if let map = listing.heatMap(selected: selected, offset: offset, across: across) {
      across.first = map.scrolledColumn(in: room.size, glyphs: layout.glyphs)
    }
  }

  mutating func choose(_ chosen: Spot, in layout: BlockLayout) {
    spot = chosen.id
    isMoved = true
    guard let block = layout.rect(ofBlock: chosen.id.block) else { return }
    let items = layout.spots.filter { $0.id.block == chosen.id.block }
    // Selecting the first or last item brings the block's frame into view.
    let top = items.first?.id == chosen.id ? block.row : chosen.rect.row
    let end = items.last?.id == chosen.id ? block.endRow : chosen.rect.endRow
    if end > scroll + layout.room.rows { scroll = end - layout.room.rows }
    if top < scroll { scroll = top }
    scroll = min(scroll, layout.maximumScroll)
  }

  mutating func select(_ row: String) {
    (spot, selected, isMoved) = (nil, row, true)
  }

  mutating func moveInList(by distance: Int, in layout: BlockLayout, _ listing: Listing?) {
    guard let listing else { return }
    let table = listing.table(selected: selected, offset: offset)
    enterList(at: table.selection(movedBy: selected == nil ? 0 : distance), in: layout, listing)
  }

  mutating func enterList(at row: String?, in layout: BlockLayout, _ listing: Listing?) {
    guard let listing else { return }
    spot = nil
    selected = row ?? listing.rows.first?.id
    // Blocks below the list stay below the screen.
    scroll = max(0, min(layout.maximumScroll, (layout.main?.rect.endRow ?? layout.height) - layout.room.rows))
    offset = listing.table(selected: selected, offset: offset).scrolledOffset(visible: layout.visibleRows)
    isMoved = true
  }

  private func place(in stops: [Spot?]) -> Int? {
    spot == nil && selected == nil ? nil : stops.firstIndex { $0?.id == spot }
  }

  /// Moves to the next figure, or into or out of the list; scrolls by a row while this target is out of view.
  private mutating func step(down: Bool, _ stops: [Spot?], in layout: BlockLayout, _ listing: Listing?) {
    if spot == nil, selected != nil, down { return moveInList(by: 1, in: layout, listing) }
    func rect(_ stop: Spot?) -> Rect { stop?.rect ?? layout.main?.rect ?? Rect(layout.room) }
    let here = place(in: stops)
    let shown = scroll..<scroll + layout.room.rows
    let isBeyond = here.map { here in
      let rect = rect(stops[here])
      return down ? rect.row >= shown.upperBound : rect.endRow <= shown.lowerBound
    }
    let next = (here ?? -1) + (down ? 1 : -1)
    func isNear(_ stop: Spot?) -> Bool {
      if let stop, stop.id.block == spot?.block { return true }
      let block = stop.flatMap { layout.rect(ofBlock: $0.id.block) } ?? rect(stop)
      return down ? block.row <= shown.upperBound : block.endRow >= shown.lowerBound
    }
    guard isBeyond != true, stops.indices.contains(next), isNear(stops[next]) else {
      scroll = min(layout.maximumScroll, max(0, scroll + (down ? 1 : -1)))
      return
    }
    if let spot = stops[next] { choose(spot, in: layout) } else { enterList(at: nil, in: layout, listing) }
  }
}

/// Rows that changed in a refresh and are highlighted for 6 s.
struct ChangedRows: Hashable, Sendable {
  private static let time: Int64 = 6000

  private var rows: Set<String> = []
  /// Uptime at which the highlight ends; `nil` if no row changed.
  private(set) var until: Int64?

  init() {}

  init(from old: Listing?, to new: Listing?, at uptime: Int64) {
    guard let old, let new, !old.rows.isEmpty, old.fieldNames == new.fieldNames else { return }
    let before = Dictionary(old.rows.map { ($0.id, $0.cells) }) { first, _ in first }
    // A row may have been missing only because the old list was incomplete.
    let isWhole = old.total == nil && old.hidden == 0
    for row in new.rows {
      guard let cells = before[row.id] else {
        if isWhole { rows.insert(row.id) }
        continue
      }
      let differs = zip(cells, row.cells).contains { $0.text != $1.text && !$1.text.movesWithTheClock }
      if differs { rows.insert(row.id) }
    }
    until = rows.isEmpty ? nil : uptime + Self.time
  }

  func shown(at uptime: Int64) -> Set<String> { until.map { uptime < $0 } ?? false ? rows : [] }
}

extension String {
  /// Whether the text is an age, which changes with time even if the data stay the same.
  fileprivate var movesWithTheClock: Bool {
    let isRelative = hasSuffix(" ago") || hasSuffix(" later") || hasPrefix("in ")
    if isRelative || self == "now" || self == "due" { return true }
    let parts = split(separator: " ")
    return parts.count == 2 && ["s", "min", "h", "d"].contains(parts[1]) && parts[0].allSatisfy(\.isNumber)
  }
}
