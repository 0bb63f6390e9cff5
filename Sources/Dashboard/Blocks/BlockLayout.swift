import Screen

/// Placement of a panel's blocks on the screen.
///
/// Cards share a row if the width allows it. The main list takes the remaining rows below or beside them.
/// Content that is higher than the screen scrolls.
struct BlockLayout {
  struct PlacedBlock {
    let index: Int
    var rect: Rect
  }

  private(set) var places: [PlacedBlock] = []
  private(set) var height = 0
  let room: Size
  let blocks: [Block]
  let glyphs: GlyphSet
  /// Minimum number of rows in `room` at which blocks with span `tall` are shown.
  private static let tall = 30

  init(_ blocks: [Block], in room: Size, glyphs: GlyphSet) {
    self.room = room
    self.blocks = blocks
    self.glyphs = glyphs
    let rows = rowsOfBlocks()
    for (place, row) in rows.enumerated() { self.place(row, above: rows[(place + 1)...]) }
  }

  var maximumScroll: Int { max(0, height - room.rows) }

  var main: PlacedBlock? { places.first { blocks[$0.index].span == .main } }

  /// Number of rows of the main list that are visible at once, not counting its headings and fixed rows.
  var visibleRows: Int {
    let rows = (main?.rect.rows ?? 0) - Block.frameRows
    return max(0, rows - 1 - (main.flatMap { blocks[$0.index].listing?.feetRows(in: rows) } ?? 0))
  }

  var mainRoom: Rect? { main?.rect.inset(columns: Block.frameColumns / 2, rows: Block.frameRows / 2) }

  // MARK: Rows of blocks

  private func rowsOfBlocks() -> [[Int]] {
    var rows: [[Int]] = []
    for index in blocks.indices where blocks[index].span != .tall || room.rows >= Self.tall {
      if let row = rows.last, joins(index, row),
        (row + [index]).reduce(0, { $0 + blocks[$1].minimumColumns }) <= arranged
      {
        rows[rows.count - 1].append(index)
      } else {
        rows.append([index])
      }
    }
    return rows.filter { row in row.count > 1 || row.contains { blocks[$0].span != .extra } }
  }

  /// Maximum sum of the minimum widths in a row: the screen's width below 80 columns, 80 below 120, else 120.
  private var arranged: Int { room.columns < 80 ? room.columns : room.columns < 120 ? 80 : 120 }

  private func joins(_ index: Int, _ row: [Int]) -> Bool {
    let block = blocks[index]
    if row.contains(where: { blocks[$0].span == .wide }) { return false }
    if row.contains(where: { blocks[$0].span == .tile }) != (block.span == .tile) { return false }
    return switch block.span {
    case .tile: true
    case .card, .tall: !row.contains { blocks[$0].span == .main }
    case .extra: row.count == 1 || !row.contains { blocks[$0].span == .main }
    case .wide: false
    // Beside more than one card, a list would have no space for its columns.
    case .main: row.count == 1
    }
  }

  // MARK: Sizes

  /// Returns the widths of the blocks in a row.
  ///
  /// The spare width is divided in proportion to the minimum widths, with that of the main list doubled.
  private func lengths(of row: [Int]) -> [Int] {
    let minimum = row.map { blocks[$0].minimumColumns }
    let weights = zip(row, minimum).map { blocks[$0].span == .main ? $1 * 2 : $1 }
    let (spare, total) = (max(0, room.columns - minimum.reduce(0, +)), max(1, weights.reduce(0, +)))
    let lengths = zip(minimum, weights).dropLast().map { $0 + spare * $1 / total }
    return lengths + [max(0, room.columns - lengths.reduce(0, +))]
  }

  /// Adds a row of blocks below the rows that are already placed.
  ///
  /// If the complete main list and the rows `later` fit on the screen, the list leaves space for `later`.
  /// Otherwise the list takes the rest of the screen.
  private mutating func place(_ row: [Int], above later: ArraySlice<[Int]>) {
    var rest = Rect(column: 0, row: height, columns: room.columns, rows: 1)
    let columns = lengths(of: row).map { rest.cutLeft($0) }
    let hasMain = row.contains { blocks[$0].span == .main }
    // An extra block beside the list takes the height of the list.
    let natural =
      zip(row, columns).filter { !hasMain || blocks[$0.0].span != .extra }
      .map { naturalRows(of: $0, columns: $1.columns) }.max() ?? 0
    let (left, below) = (room.rows - height, later.reduce(0) { $0 + wholeRows(of: $1) })
    let rows = !hasMain ? natural : max(natural, wholeRows(of: row) + below <= left ? left - below : left)
    for (index, rect) in zip(row, columns) {
      let placed = Rect(column: rect.column, row: height, columns: rect.columns, rows: rows)
      places.append(PlacedBlock(index: index, rect: placed))
    }
    height += rows
  }

  private func wholeRows(of row: [Int]) -> Int {
    zip(row, lengths(of: row)).map { blocks[$0].rows(columns: $1, in: glyphs) }.max() ?? 0
  }

  /// Returns the number of rows that a block needs.
  ///
  /// The main list has at most eight rows if these fit on the screen below the blocks already placed. If they
  /// do not fit, it has at most the screen's height.
  private func naturalRows(of index: Int, columns: Int) -> Int {
    let natural = blocks[index].rows(columns: columns, in: glyphs)
    guard blocks[index].span == .main else { return natural }
    let few = min(natural, 8)
    return height + few <= room.rows ? few : min(natural, room.rows)
  }
}

/// Selectable figure, bar or row of a secondary list, with its place on the screen.
struct Spot: Hashable, Sendable {
  struct ID: Hashable, Sendable {
    let block: Int
    let item: String
  }

  let id: ID
  let rect: Rect
  let drillDown: DrillDown
}

extension BlockLayout {
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
        return Spot(id: Spot.ID(block: place.index, item: item.id), rect: row, drillDown: item.drillDown)
      }
    }
  }

  /// Returns the places where the selection stops: spots by block, and `nil` for a main list that has rows.
  func stops(_ listing: Listing?) -> [Spot?] {
    let spots = Dictionary(grouping: spots, by: \.id.block)
    return places.flatMap { place -> [Spot?] in
      if place.index == main?.index { return listing?.rows.isEmpty == false ? [nil] : [] }
      return spots[place.index] ?? []
    }
  }

  func rect(ofBlock index: Int) -> Rect? { places.first { $0.index == index }?.rect }
}
