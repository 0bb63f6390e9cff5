import Screen

extension DisplayFormatter {
  func printed(_ blocks: [Block], under head: [StyledText], _ width: Int) -> String {
    BlockText(width: width, glyphs: glyphs).text(of: blocks, under: head)
  }
}

/// Renderer of blocks as plain text, one after another; tables are not cut to `width`.
struct BlockText {
  let width: Int
  let glyphs: GlyphSet

  func text(of blocks: [Block], under head: [StyledText]) -> String {
    let lines = head.map { plain($0) } + blocks.flatMap { [""] + self.lines(of: $0) }
    return lines.map { $0 + "\n" }.joined()
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

  /// Returns the lines of a list, which is drawn in parts to limit the size of the canvas.
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

  /// Returns the lines of a heat map in bands of as many columns as fit, each with all row headings.
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

  /// Returns a line as text without control characters, which could control the terminal.
  func plain(_ line: StyledText) -> String {
    let width = line.width(in: glyphs)
    var canvas = Canvas(size: Size(columns: width, rows: 1), glyphs: glyphs)
    canvas.put(line, column: 0, row: 0)
    return canvas.text().first ?? ""
  }
}
