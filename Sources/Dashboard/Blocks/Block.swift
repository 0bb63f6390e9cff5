import Screen

/// Titled piece of a panel's content, which the screen puts in a box and `report` prints as a section.
struct Block: Hashable, Sendable {
  enum Body: Hashable, Sendable {
    case figures([Figure])
    case bars([FigureBar])
    case listing(Listing)
    /// Paragraphs whose lines after the first are indented by `indent` columns.
    case text([StyledText], indent: Int = 2)
    case timeline(TimelineChart)
    case head(SweepHead)
    case chart(SeriesChart)
    case waterfall(Waterfall, [DrillDown?])
    case tile(HeadlineTile)
    case headline(Headline)
  }

  /// Rule for sharing a row of the screen with other blocks.
  enum Span: Hashable, Sendable {
    /// Shares a row with other blocks if the width allows it.
    case card
    /// Shares a row with other tiles only.
    case tile
    /// A card that is hidden unless it fits beside another block.
    case extra
    /// A card that is hidden if the screen has few rows.
    case tall
    case wide
    /// The panel's list, which takes the remaining rows.
    case main
  }

  var title: StyledText
  /// Title to use if `title` does not fit; `nil` to cut `title` instead.
  var brief: StyledText?
  var body: Body
  var span: Span
  /// Minimum width at which the block shares a row with another block.
  var minimumColumns: Int
  var box: OverviewBox?

  init(_ title: StyledText, _ body: Body, span: Span = .card, minimumColumns: Int = 24) {
    self.title = title
    self.body = body
    self.span = span
    self.minimumColumns = minimumColumns
  }

  var isBare: Bool { if case .headline = body { true } else { false } }

  var listing: Listing? {
    if case .listing(let listing) = body { listing } else { nil }
  }
}

extension Block {
  struct Item: Hashable, Sendable {
    /// Identity across refreshes, so that the selection stays on the item.
    let id: String
    let row: Int
    /// Columns of the item, counted from the block's left edge; `nil` for the whole row.
    var columns: Range<Int>?
    let drillDown: DrillDown
  }

  /// Returns the selectable items of a block whose frame is `columns` wide; empty for the main list.
  func items(columns: Int, in glyphs: GlyphSet) -> [Item] {
    guard span != .main else { return [] }
    switch body {
    case .figures(let figures): return Self.items(figures.map { ($0.label, $0.drillDown) }, below: 1)
    case .bars(let bars): return Self.items(bars.map { ($0.bar.label.text, $0.drillDown) }, below: 1)
    case .listing(let listing):
      return Self.items(listing.rows.map { ($0.id, listing[row: $0.id]?.drillDown) }, below: 2)
    case .waterfall(let chart, let targets):
      return Self.items(zip(chart.steps, targets).map { ($0.label.text, $1) }, below: 1)
    case .tile(let tile):
      return Self.items([("", tile.drillDown)], below: 1)
    case .headline(let headline):
      return headline.places(columns: columns, in: glyphs).compactMap { place in
        place.part.drillDown.map {
          Item(id: place.part.id, row: place.row, columns: place.columns, drillDown: $0)
        }
      }
    case .text, .timeline, .head, .chart: return []
    }
  }

  private static func items(_ entries: [(String, DrillDown?)], below edge: Int) -> [Item] {
    var seen: Set<String> = []
    return entries.enumerated().compactMap { row, entry in
      guard let drillDown = entry.1 else { return nil }
      let id = seen.insert(entry.0).inserted ? entry.0 : "\(entry.0)#\(row)"
      return Item(id: id, row: row + edge, drillDown: drillDown)
    }
  }
}
