import Screen

extension ListCursor {
  /// Never so far that a row goes by unseen.
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

  /// One row on: through the figures of a block, then to the block above or below it, at last into the list or out of it.
  private mutating func step(down: Bool, in layout: BlockLayout, _ listing: Listing?) {
    let spots = layout.spots
    guard let current = spots.first(where: { $0.id == spot }) else {
      if spot == nil, selected == nil, spots.isEmpty, !down || isListFarBelow(in: layout) {
        return roll(down: down, in: layout)
      }
      if spot == nil, selected != nil || spots.isEmpty {
        // In the list.
        if down { return moveInList(by: 1, in: layout, listing) }
        if selected != listing?.rows.first?.id { return moveInList(by: -1, in: layout, listing) }
        if let main = layout.main { leave(main, down: false, in: layout, listing) }
      } else if let first = spots.first {
        choose(first, in: layout)
      }
      return
    }
    // Blocks without anything to choose are read before what comes after them is chosen.
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

  /// To the nearest block above or below another one, of those that stand over or under it the list, or else the leftmost.
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

  // MARK: Where there is nothing to choose

  private mutating func roll(down: Bool, in layout: BlockLayout) {
    scroll = min(layout.maximumScroll, max(0, scroll + (down ? 1 : -1)))
  }

  private func isInView(_ rect: Rect, of layout: BlockLayout) -> Bool {
    rect.row >= scroll && rect.endRow <= scroll + layout.roomRows
  }

  /// Whether no row that is out of sight stands between the room and the blocks that begin on a row.
  private func isNear(
    _ row: Int, _ blocks: [BlockLayout.PlacedBlock], down: Bool, in layout: BlockLayout
  ) -> Bool {
    if down { return row <= scroll + layout.roomRows }
    return blocks.contains { $0.rect.row == row && $0.rect.endRow >= scroll }
  }

  /// Whether nothing is chosen yet, and blocks that are out of sight stand above the list.
  func isListFarBelow(in layout: BlockLayout) -> Bool {
    guard spot == nil, selected == nil, let main = layout.main else { return false }
    return main.rect.row > scroll + layout.roomRows
  }
}

extension Rect {
  /// Whether it stands above, or in the same row further to the left.
  fileprivate func isRead(before other: Rect) -> Bool { (row, column) < (other.row, other.column) }
}

extension BlockLayout {
  /// The blocks that the selection can go to.
  func targets(_ listing: Listing?) -> [PlacedBlock] {
    let chosen = Set(spots.map(\.id.block))
    return places.filter {
      chosen.contains($0.index) || ($0.index == main?.index && listing?.rows.isEmpty == false)
    }
  }
}
