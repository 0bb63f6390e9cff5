import Screen

extension Block {
  /// Something in a block that can be chosen and opened.
  struct Item: Hashable, Sendable {
    /// The same after a refresh, so that the selection stays on it.
    let id: String
    /// Below the block's upper edge.
    let row: Int
    /// Where it stands in the row, from the block's left edge; nil is all of it.
    var columns: Range<Int>?
    let opening: Opening
  }

  /// What can be chosen in it, from above; the panel's list has its own way.
  ///
  /// - Parameter columns: the block's, its frame included.
  func items(columns: Int, in glyphs: GlyphSet) -> [Item] {
    guard span != .main else { return [] }
    switch body {
    case .figures(let figures): return Self.items(figures.map { ($0.label, $0.opening) }, below: 1)
    case .bars(let bars): return Self.items(bars.map { ($0.bar.label.text, $0.opening) }, below: 1)
    case .listing(let listing):
      return Self.items(listing.rows.map { ($0.id, listing.openings[$0.id]) }, below: 2)
    case .waterfall(let waterfall):
      return Self.items(
        zip(waterfall.chart.steps, waterfall.openings).map { ($0.label.text, $1) }, below: 1)
    case .tile(let tile):
      let row = tile.textRow(columns: columns - Block.frameColumns, in: glyphs)
      return Self.items([("", tile.opening)], below: 1 + row)
    case .headline(let headline):
      return headline.places(columns: columns, in: glyphs).compactMap { place in
        place.part.opening.map {
          Item(id: place.part.id, row: place.row, columns: place.columns, opening: $0)
        }
      }
    case .text, .timeline, .head, .histogram, .chart, .groups: return []
    }
  }

  private static func items(_ entries: [(String, Opening?)], below edge: Int) -> [Item] {
    var seen: Set<String> = []
    return entries.enumerated().compactMap { row, entry in
      guard let opening = entry.1 else { return nil }
      let id = seen.insert(entry.0).inserted ? entry.0 : "\(entry.0)#\(row)"
      return Item(id: id, row: row + edge, opening: opening)
    }
  }
}
