import Screen

/// A figure, a bar or a row of a lesser list that the selection can stand on.
struct Spot: Hashable, Sendable {
  /// Tells spots apart, the same after a refresh.
  struct ID: Hashable, Sendable {
    let block: Int
    let item: String
  }

  let id: ID
  /// One row, where the layout has it.
  let rect: Rect
  let opening: Opening
}

extension BlockLayout {
  /// Every spot, block by block and each from above.
  var spots: [Spot] {
    places.flatMap { place -> [Spot] in
      let block = blocks[place.index]
      let edge = block.isBare ? 0 : 1
      let inside = place.rect.inset(columns: edge, rows: edge)
      return block.items(columns: place.rect.columns, in: glyphs).compactMap { item in
        let columns = item.columns ?? 0..<inside.columns
        let row = Rect(
          column: inside.column + columns.lowerBound, row: place.rect.row + item.row, columns: columns.count,
          rows: 1)
        guard row.row < inside.endRow else { return nil }
        return Spot(id: Spot.ID(block: place.index, item: item.id), rect: row, opening: item.opening)
      }
    }
  }

  func rect(ofBlock index: Int) -> Rect? { places.first { $0.index == index }?.rect }
}
