import Screen

extension Block {
  /// Something in a block that can be chosen and opened.
  struct Item: Hashable, Sendable {
    /// The same after a refresh, so that the selection stays on it.
    let id: String
    /// Below the block's upper edge.
    let row: Int
    let opening: Opening
  }

  /// What can be chosen in it, from above; the panel's list has its own way.
  var items: [Item] {
    guard span != .main else { return [] }
    switch body {
    case .figures(let figures): return Self.items(figures.map { ($0.label, $0.opening) }, below: 1)
    case .bars(let bars): return Self.items(bars.map { ($0.bar.label.text, $0.opening) }, below: 1)
    case .listing(let listing):
      return Self.items(listing.rows.map { ($0.id, listing.openings[$0.id]) }, below: 2)
    case .text, .timeline, .head, .histogram, .chart: return []
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
