import Screen

/// First block of the sweep tab: state, progress and pace of a sweep.
struct SweepHead: Hashable, Sendable {
  var state: [StyledText]
  var progress: Progress?
  var facts: [StyledText]

  struct Progress: Hashable, Sendable {
    /// Progress from 0 to 1; `nil` if the total is unknown.
    var fraction: Double?
    var style: Style
    var caption: [StyledText]
    /// Receipts per second, oldest first.
    var rates: [Double]
    var rate: StyledText
  }

  func lines(columns: Int, in glyphs: GlyphSet) -> [StyledText] {
    guard columns > 0 else { return [] }
    let pace = progress.map { [$0.pace(columns: columns, in: glyphs)] } ?? []
    return TextBlock(state, indent: 2).rows(width: columns, in: glyphs)
      + (progress.map { [$0.bar(columns: columns, in: glyphs)] } ?? [])
      + Self.flowing(pace + facts, columns, in: glyphs)
  }

  private static func flowing(
    _ parts: [StyledText], _ columns: Int, in glyphs: GlyphSet
  ) -> [StyledText] {
    parts.reduce(into: []) { lines, part in
      let longer = lines.last.map { [$0, part].joined(by: "  ") }
      if let longer, longer.width(in: glyphs) <= columns {
        lines[lines.count - 1] = longer
      } else {
        lines.append(part)
      }
    }
  }
}

extension SweepHead.Progress {
  fileprivate func bar(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let caption = caption.fitting(columns * 3 / 4, by: "  ", in: glyphs)
    return drawn(columns, glyphs) { $0.gauge(fraction, caption: caption, style, in: $0.bounds) }
  }

  fileprivate func pace(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let shown = min(columns / 5, rates.count)
    guard shown > 1 else { return rate }
    return rate + [" "]
      + drawn(shown, glyphs) { Sparkline(rates.map(Optional.some), .accent).draw(on: &$0, in: $0.bounds) }
  }

  private func drawn(_ columns: Int, _ glyphs: GlyphSet, _ draw: (inout Canvas) -> Void) -> StyledText {
    var canvas = Canvas(size: Size(columns: columns, rows: 1), glyphs: glyphs)
    draw(&canvas)
    return canvas.styledLine(row: 0)
  }
}
