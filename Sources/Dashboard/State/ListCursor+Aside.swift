import Screen

extension ListCursor {
  /// - Returns: false where nothing stands on that side.
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
    // Who goes through the cells of a heat map does not leave it unawares.
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

  /// To the next cell of a heat map.
  ///
  /// - Returns: false where it has none on that side.
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

  /// The block of the selection and its row, both where the layout has them.
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
  /// The next spot of the same block in the same row; nil where there is none on that side.
  fileprivate func beside(_ spot: Spot.ID, _ side: Command.Side) -> Spot? {
    let all = spots.filter { $0.id.block == spot.block }
    guard let here = all.first(where: { $0.id == spot })?.rect else { return nil }
    let row = all.filter { $0.rect.row == here.row }
    return side == .right
      ? row.first { $0.rect.column >= here.endColumn } : row.last { $0.rect.endColumn <= here.column }
  }
}
