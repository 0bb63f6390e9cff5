import Screen

/// A titled piece of a panel's content. The screen lays blocks out in boxes, `report` prints them one after another.
struct Block: Hashable, Sendable {
  enum Body: Hashable, Sendable {
    case figures([Figure])
    case bars([FigureBar])
    case listing(Listing)
    /// Paragraphs, whose further rows stand in by so many columns.
    case text([StyledText], indent: Int = 2)
    case timeline(TimelineChart)
    case head(SweepHead)
    case histogram(DueHistogram)
    case chart(SeriesChart)
    case groups(ColumnGroups)
    case waterfall(FigureWaterfall)
    case tile(HeadlineTile)
    case headline(Headline)
  }

  /// How a block shares the screen with others.
  enum Span: Hashable, Sendable {
    /// Stands beside others where the width allows it.
    case card
    /// Stands beside its like alone.
    case tile
    /// As a card, but left out where it finds no room beside another block.
    case extra
    /// As a card, but left out of a room that is too low to show it with the rest.
    case tall
    /// Takes the whole width.
    case wide
    /// The panel's list, which takes the rows that the others leave.
    case main
  }

  var title: StyledText
  var body: Body
  var span: Span
  /// Columns below which it does not stand beside another block.
  var minimumColumns: Int

  init(_ title: StyledText, _ body: Body, span: Span = .card, minimumColumns: Int = 24) {
    self.title = title
    self.body = body
    self.span = span
    self.minimumColumns = minimumColumns
  }

  /// Columns from which on it shows all that it has of this and of the needs before it.
  func columns(for need: LayoutNeed, in glyphs: GlyphSet) -> Int {
    let columns =
      switch body {
      case .figures(let figures): FigureList(figures, in: glyphs).columns(for: need)
      case .listing(let listing): listing.columns(for: need)
      default: 0
      }
    return max(minimumColumns, columns + Self.frameColumns)
  }

  /// Without a frame.
  var isBare: Bool { if case .headline = body { true } else { false } }

  /// So wide that two stand beside each other from 196 columns on, and one alone below.
  static let halfOfLarge = 98

  var listing: Listing? {
    if case .listing(let listing) = body { listing } else { nil }
  }
}

extension Block {
  /// Something in a block that can be chosen and opened.
  struct Item: Hashable, Sendable {
    /// Identity that a refresh keeps, so that the selection stays on the item.
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
