import Screen

extension ListCursor {
  /// Stays on its row or figure, or lets go of it where it is no longer there. Who has not moved yet stays on the list's
  /// first row, whichever that is now, or where the list is out of sight on the first figure.
  mutating func keep(to blocks: [Block], in room: Size, glyphs: GlyphSet) {
    let layout = BlockLayout(blocks, in: room, glyphs: glyphs)
    let spots = layout.spots
    if let id = spot {
      if let kept = spots.first(where: { $0.id == id }) { return choose(kept, in: layout) }
      spot = nil
    }
    guard let listing = blocks.first(where: { $0.span == .main })?.listing else {
      // Without a list the first figure is where one begins.
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

  /// Stays where it is in blocks that were drawn up anew, also where the selection is out of sight; lets go of a figure
  /// that is gone.
  mutating func stay(in layout: BlockLayout) {
    scroll = min(scroll, layout.maximumScroll)
    if let id = spot, !layout.spots.contains(where: { $0.id == id }) { spot = nil }
  }

  /// - Parameter lines: how many rows `up` and `down` are.
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
        // What stands above it comes into view as well: at once where both have room, else when asked again.
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
    // The frame comes into view with the rows next to it.
    let top = items.first?.id == chosen.id ? block.row : chosen.rect.row
    let end = items.last?.id == chosen.id ? block.endRow : chosen.rect.endRow
    if end > scroll + layout.roomRows { scroll = end - layout.roomRows }
    if top < scroll { scroll = top }
    scroll = min(scroll, layout.maximumScroll)
  }
}
