import Screen

/// First block of the sweep tab: state, progress and pace of a sweep.
struct SweepHead: Hashable, Sendable {
  var state: [StyledText]
  var progress: Progress?
  var facts: [StyledText]

  struct Progress: Hashable, Sendable {
    /// 0 to 1; `nil` if the total is unknown.
    var fraction: Double?
    var style: Style
    var caption: [StyledText]
    /// Receipts per second, oldest first.
    var rates: [Double]
    var rate: StyledText
  }

  func lines(columns: Int, in glyphs: GlyphSet) -> [StyledText] {
    guard columns > 0 else { return [] }
    var lines = TextBlock(state, indent: 2).rows(width: columns, in: glyphs)
    var facts = facts
    if let progress {
      lines.append(progress.bar(columns: columns, in: glyphs))
      facts.insert(progress.pace(columns: columns, in: glyphs), at: 0)
    }
    return lines + facts.flowing(columns, in: glyphs)
  }
}

extension SweepHead.Progress {
  fileprivate func bar(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let caption = caption.fitting(columns * 3 / 4, by: "  ", in: glyphs)
    var canvas = Canvas(size: Size(columns: columns, rows: 1), glyphs: glyphs)
    canvas.gauge(fraction, caption: caption, style, in: canvas.bounds)
    return canvas.styledLine(row: 0)
  }

  fileprivate func pace(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let room = columns >= 150 ? 48 : columns >= 100 ? 24 : columns >= 70 ? 16 : 8
    let shown = min(room, rates.count)
    guard shown > 1 else { return rate }
    var canvas = Canvas(size: Size(columns: shown, rows: 1), glyphs: glyphs)
    Sparkline(rates.map(Optional.some), .accent).draw(on: &canvas, in: canvas.bounds)
    return rate + [" "] + canvas.styledLine(row: 0)
  }
}

extension [StyledText] {
  /// Joins the parts with two spaces, on as many lines as needed.
  func flowing(_ columns: Int, in glyphs: GlyphSet) -> [StyledText] {
    var lines: [StyledText] = []
    var used = 0
    for part in self {
      let width = part.width(in: glyphs)
      if used > 0, used + 2 + width <= columns {
        lines[lines.count - 1] = lines[lines.count - 1] + ["  "] + part
        used += 2 + width
      } else {
        lines.append(part)
        used = width
      }
    }
    return lines
  }
}
