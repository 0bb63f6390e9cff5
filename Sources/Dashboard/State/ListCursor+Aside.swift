import Screen

extension ListCursor {
  /// - Returns: false where nothing stands on that side.
  mutating func moveAside(_ side: Command.Side, in layout: BlockLayout, listing: Listing?) -> Bool {
    guard let here = position(in: layout, listing) else { return false }
    let targets = layout.targets(listing).filter {
      side == .right ? $0.rect.column >= here.block.endColumn : $0.rect.endColumn <= here.block.column
    }
    let level = targets.filter { $0.rect.row < here.block.endRow && $0.rect.endRow > here.block.row }
    let target = level.min { left, right in
      side == .right ? left.rect.column < right.rect.column : left.rect.column > right.rect.column
    }
    guard let target else { return false }
    if target.index == layout.main?.index {
      enterList(at: selected, in: layout, listing)
    } else {
      let items = layout.spots.filter { $0.id.block == target.index }
      let nearest = items.min { abs($0.rect.row - here.row) < abs($1.rect.row - here.row) }
      if let nearest { choose(nearest, in: layout) }
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
