import Screen

/// Renders blocks as plain text, one after another, for printed output. Lists have every row and column.
struct BlockText {
  let width: Int
  let glyphs: GlyphSet

  func text(of blocks: [Block], under head: [StyledText]) -> String {
    var lines = head.map { plain($0) }
    var rest = blocks[...]
    while let block = rest.first {
      let tiles = rest.prefix { $0.span == .tile }
      lines += [""] + (tiles.count > 1 ? self.lines(of: Array(tiles)) : self.lines(of: block))
      rest = rest.dropFirst(max(1, tiles.count))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Lines of tiles beside each other, as on the screen; below each other if they are too wide.
  private func lines(of tiles: [Block]) -> [String] {
    let columns = max(1, width / tiles.count)
    let narrow = BlockText(width: columns, glyphs: glyphs)
    let each = tiles.map(narrow.lines(of:))
    guard each.joined().allSatisfy({ TextWidth.of($0, in: glyphs) < columns }) else {
      return Array(tiles.map(lines(of:)).joined(separator: [""]))
    }
    return (0..<(each.map(\.count).max() ?? 0)).map { row in
      let cells = each.map { $0.indices.contains(row) ? $0[row] : "" }
      let padded = cells.dropLast().map {
        $0 + String(repeating: " ", count: columns - TextWidth.of($0, in: glyphs))
      }
      return padded.joined() + (cells.last ?? "")
    }
  }

  private func lines(of block: Block) -> [String] {
    let title = plain(block.title + (block.listing?.alike ?? []))
    let body: [String] =
      if case .listing(let listing) = block.body { lines(of: listing) } else { self.lines(of: block.body) }
    return (title.isEmpty ? [] : [title]) + body.map { $0.isEmpty ? "" : "  " + $0 }
  }

  private func lines(of body: Block.Body) -> [String] {
    let columns = min(max(1, width - 2), body.naturalColumns(in: glyphs) ?? Int.max)
    let size = Size(columns: columns, rows: body.rows(columns: columns, in: glyphs))
    var canvas = Canvas(size: size, glyphs: glyphs)
    body.draw(on: &canvas, in: canvas.bounds)
    return canvas.text()
  }

  /// Drawn in pieces, to limit the size of the canvas.
  private func lines(of listing: Listing) -> [String] {
    guard !listing.rows.isEmpty else { return [listing.emptyText] }
    let listing = listing.uncut(in: glyphs)
    if let map = listing.heatMap(selected: nil, offset: 0, across: AcrossCursor()) { return lines(of: map) }
    let table = listing.table(selected: nil, offset: 0)
    let size = Size(columns: listing.naturalColumns, rows: 256)
    var lines: [String] = []
    for first in stride(from: 0, to: table.rows.count, by: size.rows - 1) {
      var piece = table
      piece.rows = Array(table.rows[first..<min(table.rows.count, first + size.rows - 1)])
      var canvas = Canvas(size: size, glyphs: glyphs)
      piece.draw(on: &canvas, in: canvas.bounds)
      lines += canvas.text().prefix(piece.rows.count + 1).dropFirst(first == 0 ? 0 : 1)
    }
    if let total = listing.total {
      lines.append("\(CountText.of(listing.rows.count)) of \(CountText.of(total)) rows")
    }
    return lines
  }

  /// Lines of a heat map in bands of as many columns as fit, each with the same headings.
  private func lines(of map: HeatMap) -> [String] {
    let glyphs = glyphs.withoutColours
    let room = Size(columns: max(1, width - 2), rows: 1 + map.rows.count + map.feet.count)
    let visible = max(1, map.visibleColumns(in: room, glyphs: glyphs))
    return stride(from: 0, to: map.titles.count, by: visible).flatMap { first in
      let piece = map.part(first..<min(map.titles.count, first + visible))
      let size = Size(columns: room.columns, rows: 1 + piece.rows.count + piece.feet.count)
      var canvas = Canvas(size: size, glyphs: glyphs)
      piece.draw(on: &canvas, in: canvas.bounds)
      return (first == 0 ? [] : [""]) + canvas.text()
    }
  }

  /// Draws a line on a canvas, so that control characters from a receipt do not reach the terminal.
  func plain(_ line: StyledText) -> String {
    let width = line.width(in: glyphs)
    var canvas = Canvas(size: Size(columns: width, rows: 1), glyphs: glyphs)
    canvas.put(line, column: 0, row: 0)
    return canvas.text().first ?? ""
  }
}
