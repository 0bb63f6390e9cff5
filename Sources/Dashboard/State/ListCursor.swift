import Screen

/// Position on a screen of blocks: selection, scrolling and marks.
struct ListCursor: Hashable, Sendable {
  /// Selected spot; `nil` if the selection is in the list.
  var spot: Spot.ID?
  var selected: String?
  /// Whether the user has moved the selection.
  var isMoved = false
  var offset = 0
  var across = AcrossCursor()
  /// First visible row of the blocks.
  var scroll = 0
  /// Openings of marked rows, so that marks survive a refresh.
  var marked: Set<DrillDown> = []
  var changed = ChangedRows()
}

extension ListCursor {
  /// Moves the selection to the left or right. Returns `false` if nothing can be selected there.
  mutating func moveAside(_ side: Command.Side, in layout: BlockLayout, listing: Listing?) -> Bool {
    if moveAcross(side, in: layout, listing) { return true }
    guard let here = position(in: layout, listing) else { return false }
    if let spot, let next = layout.beside(spot, side) {
      choose(next, in: layout)
      return true
    }
    let targets = layout.targets(listing).filter {
      side == .right ? $0.rect.column >= here.block.endColumn : $0.rect.endColumn <= here.block.column
    }
    let level = targets.filter { $0.rect.row < here.block.endRow && $0.rect.endRow > here.block.row }
    let target = level.min { left, right in
      side == .right ? left.rect.column < right.rect.column : left.rect.column > right.rect.column
    }
    // Moving through the cells of a heat map does not leave it.
    guard let target else { return spot == nil && listing?.shaded != nil }
    if target.index == layout.main?.index {
      enterList(at: selected, in: layout, listing)
    } else {
      let items = layout.spots.filter { $0.id.block == target.index }
      let nearest = items.min { abs($0.rect.row - here.row) < abs($1.rect.row - here.row) }
      if let nearest { choose(nearest, in: layout) }
    }
    return true
  }

  /// Selects the next cell of a heat map. Returns `false` if there is none.
  private mutating func moveAcross(_ side: Command.Side, in layout: BlockLayout, _ listing: Listing?) -> Bool
  {
    guard spot == nil, let selected, let listing, let room = layout.mainRoom,
      let next = listing.shaded?.column(
        in: selected, beside: across.column, by: side == .right ? 1 : -1)
    else { return false }
    across.column = next
    isMoved = true
    if let map = listing.heatMap(selected: selected, offset: offset, across: across) {
      across.first = map.scrolledColumn(in: room.size, glyphs: layout.glyphs)
    }
    return true
  }

  private func position(in layout: BlockLayout, _ listing: Listing?) -> (block: Rect, row: Int)? {
    if let spot {
      guard let block = layout.rect(ofBlock: spot.block) else { return nil }
      return layout.spots.first { $0.id == spot }.map { (block, $0.rect.row) }
    }
    guard let main = layout.main, let listing else { return nil }
    let index = listing.rows.firstIndex { $0.id == selected } ?? 0
    return (main.rect, main.rect.row + 2 + max(0, index - offset))
  }
}

extension BlockLayout {
  fileprivate func beside(_ spot: Spot.ID, _ side: Command.Side) -> Spot? {
    let all = spots.filter { $0.id.block == spot.block }
    guard let here = all.first(where: { $0.id == spot })?.rect else { return nil }
    let row = all.filter { $0.rect.row == here.row }
    return side == .right
      ? row.first { $0.rect.column >= here.endColumn } : row.last { $0.rect.endColumn <= here.column }
  }
}

extension ListCursor {
  /// Keeps the selection, or resets it if its row or figure is gone.
  ///
  /// Before the first move, the selection is on the list's first row, even if that changes. If the list is
  /// not visible, it is on the first figure.
  mutating func keep(to blocks: [Block], in room: Size, glyphs: GlyphSet) {
    let layout = BlockLayout(blocks, in: room, glyphs: glyphs)
    let spots = layout.spots
    if let id = spot {
      if let kept = spots.first(where: { $0.id == id }) { return choose(kept, in: layout) }
      spot = nil
    }
    guard let listing = blocks.first(where: { $0.span == .main })?.listing else {
      // Without a list, the first figure is selected.
      (spot, scroll) = (spots.first?.id, 0)
      return
    }
    if !isMoved || !listing.rows.contains(where: { $0.id == selected }) {
      selected = nil
      offset = 0
      isMoved = false
    }
    guard selected == nil else {
      scroll = layout.maximumScroll
      return
    }
    if layout.maximumScroll == 0, let first = listing.rows.first {
      selected = first.id
    } else if let first = spots.first {
      spot = first.id
      scroll = 0
    }
  }

  /// Keeps the position in redrawn blocks, even if the selection is out of sight. Deselects a figure that is
  /// gone.
  mutating func stay(in layout: BlockLayout) {
    scroll = min(scroll, layout.maximumScroll)
    if let id = spot, !layout.spots.contains(where: { $0.id == id }) { spot = nil }
  }

  /// - Parameter lines: Rows that `up` and `down` move by.
  mutating func move(_ movement: Command.Movement, lines: Int, in layout: BlockLayout, listing: Listing?) {
    scroll = min(scroll, layout.maximumScroll)
    let spots = layout.spots
    let rows = listing?.rows ?? []
    guard !spots.isEmpty || !rows.isEmpty else {
      let distance = movement.distance(page: max(1, layout.roomRows - 2), lines: lines)
      scroll = min(layout.maximumScroll, max(0, scroll.adding(distance)))
      return
    }
    isMoved = true
    let isAtFirst = spot == nil && (selected == nil || selected == rows.first?.id)
    switch movement {
    case .first where isAtFirst || spot != nil:
      if let first = spots.first {
        // Scrolls to the top if the figure remains visible, otherwise when the key is repeated.
        let isThere = spot == first.id
        choose(first, in: layout)
        if isThere || first.rect.endRow <= layout.roomRows { scroll = 0 }
      } else {
        isMoved = false
        scroll = 0
      }
    case .last where rows.isEmpty:
      if let last = spots.last { choose(last, in: layout) }
      scroll = layout.maximumScroll
    case .last: enterList(at: rows.last?.id, in: layout, listing)
    default:
      let inList = movement.distance(page: max(1, layout.visibleRows - 1), lines: lines)
      if spot == nil, !isAtFirst || inList > 0, !rows.isEmpty, !isListFarBelow(in: layout) {
        moveInList(by: inList, in: layout, listing)
      } else {
        let distance = movement.distance(page: max(1, layout.roomRows - 2), lines: lines)
        step(by: distance, in: layout, listing)
      }
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
    if end > scroll + layout.roomRows { scroll = end - layout.roomRows }
    if top < scroll { scroll = top }
    scroll = min(scroll, layout.maximumScroll)
  }
}

extension ListCursor {
  /// Moves by rows, but not so far that a row is skipped unseen.
  mutating func step(by distance: Int, in layout: BlockLayout, _ listing: Listing?) {
    let start = scroll
    for count in 0..<min(distance.magnitude, 1000) {
      let before = self
      step(down: distance > 0, in: layout, listing)
      guard count > 0, (scroll - start).magnitude > layout.roomRows else { continue }
      self = before
      return
    }
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
    scroll = layout.maximumScroll
    offset = listing.table(selected: selected, offset: offset).scrolledOffset(visible: layout.visibleRows)
    isMoved = selected != listing.rows.first?.id || layout.maximumScroll > 0
  }

  /// Moves by one row: through the figures of a block, then to the block above or below, finally into or out
  /// of the list.
  private mutating func step(down: Bool, in layout: BlockLayout, _ listing: Listing?) {
    let spots = layout.spots
    guard let current = spots.first(where: { $0.id == spot }) else {
      if spot == nil, selected == nil, spots.isEmpty, !down || isListFarBelow(in: layout) {
        return roll(down: down, in: layout)
      }
      if spot == nil, selected != nil || spots.isEmpty {
        if down { return moveInList(by: 1, in: layout, listing) }
        if selected != listing?.rows.first?.id { return moveInList(by: -1, in: layout, listing) }
        if let main = layout.main { leave(main, down: false, in: layout, listing) }
      } else if let first = spots.first {
        choose(first, in: layout)
      }
      return
    }
    // Blocks without selectable items scroll through before the selection moves on.
    guard isInView(current.rect, of: layout) || (current.rect.row < scroll) == down else {
      return roll(down: down, in: layout)
    }
    let same = spots.filter { $0.id.block == current.id.block }
    let next =
      down
      ? same.first { current.rect.isRead(before: $0.rect) }
      : same.last { $0.rect.isRead(before: current.rect) }
    if let next { return choose(next, in: layout) }
    if let place = layout.places.first(where: { $0.index == current.id.block }) {
      leave(place, down: down, in: layout, listing)
    }
  }

  /// Moves to the nearest blocks above or below, preferring the list, then the leftmost block, among blocks
  /// that overlap horizontally.
  private mutating func leave(
    _ from: BlockLayout.PlacedBlock, down: Bool, in layout: BlockLayout, _ listing: Listing?
  ) {
    let targets = layout.targets(listing).filter {
      down ? $0.rect.row >= from.rect.endRow : $0.rect.endRow <= from.rect.row
    }
    guard let row = down ? targets.map(\.rect.row).min() : targets.map(\.rect.row).max(),
      isNear(row, targets, down: down, in: layout)
    else { return roll(down: down, in: layout) }
    let level = targets.filter { $0.rect.row == row }
    let facing = level.filter { $0.rect.column < from.rect.endColumn && $0.rect.endColumn > from.rect.column }
    let reachable = facing.isEmpty ? level : facing
    let list = reachable.first { $0.index == layout.main?.index }
    guard let target = list ?? reachable.min(by: { $0.rect.column < $1.rect.column }) else { return }
    if target.index == layout.main?.index {
      enterList(at: nil, in: layout, listing)
    } else {
      let items = layout.spots.filter { $0.id.block == target.index }
      if let item = down ? items.first : items.last { choose(item, in: layout) }
    }
  }

  // MARK: Scrolling

  private mutating func roll(down: Bool, in layout: BlockLayout) {
    scroll = min(layout.maximumScroll, max(0, scroll + (down ? 1 : -1)))
  }

  private func isInView(_ rect: Rect, of layout: BlockLayout) -> Bool {
    rect.row >= scroll && rect.endRow <= scroll + layout.roomRows
  }

  /// Whether no hidden rows are between the visible area and the blocks that begin on a row.
  private func isNear(
    _ row: Int, _ blocks: [BlockLayout.PlacedBlock], down: Bool, in layout: BlockLayout
  ) -> Bool {
    if down { return row <= scroll + layout.roomRows }
    return blocks.contains { $0.rect.row == row && $0.rect.endRow >= scroll }
  }

  /// Whether nothing is selected yet, and hidden blocks are above the list.
  func isListFarBelow(in layout: BlockLayout) -> Bool {
    guard spot == nil, selected == nil, let main = layout.main else { return false }
    return main.rect.row > scroll + layout.roomRows
  }
}

extension Rect {
  fileprivate func isRead(before other: Rect) -> Bool { (row, column) < (other.row, other.column) }
}

extension BlockLayout {
  func targets(_ listing: Listing?) -> [PlacedBlock] {
    let chosen = Set(spots.map(\.id.block))
    return places.filter {
      chosen.contains($0.index) || ($0.index == main?.index && listing?.rows.isEmpty == false)
    }
  }
}

/// Rows that are highlighted for some seconds after they changed.
struct ChangedRows: Hashable, Sendable {
  /// Milliseconds of the highlight.
  private static let time: Int64 = 6000

  private var rows: Set<String> = []
  /// End of the highlight in uptime; `nil` if no row is highlighted.
  private(set) var until: Int64?

  init() {}

  init(from old: Listing?, to new: Listing?, at uptime: Int64) {
    guard let old, let new, !old.rows.isEmpty, old.fieldNames == new.fieldNames else { return }
    let before = Dictionary(old.rows.map { ($0.id, $0.cells) }) { first, _ in first }
    // If the old list was incomplete, a row that it lacked is not necessarily new.
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
  /// Whether it is an age, which changes with the clock alone.
  fileprivate var movesWithTheClock: Bool {
    let isTold = hasSuffix(" ago") || hasSuffix(" later") || hasPrefix("in ")
    if isTold || self == "now" || self == "due" { return true }
    let parts = split(separator: " ")
    return parts.count == 2 && ["s", "min", "h", "d"].contains(parts[1]) && parts[0].allSatisfy(\.isNumber)
  }
}
