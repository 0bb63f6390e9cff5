/// Bar of a bar chart, with its label and its value as text.
public struct Bar: Hashable, Sendable {
  public var label: TextSpan
  public var value: Double
  public var text: String
  public var style: Style
  /// Value at which a bar is full.
  ///
  /// All bars of a chart use the first `top` that is not `nil`, or else the largest value.
  public var top: Double?

  public init(label: TextSpan, value: Double, text: String, _ style: Style = .accent) {
    (self.label, self.value, self.text, self.style) = (label, value, text, style)
  }
}

extension Canvas {
  /// Draws horizontal bars, one per row, as many as fit, with labels on the left and values on the right.
  ///
  /// In a narrow area the bars shrink first, to five columns. Then the labels are cut, and last the values.
  public mutating func bars(_ bars: [Bar], in rect: Rect) {
    let glyphs = glyphs
    let labels = bars.map { TextWidth.of($0.label.text, in: glyphs) }.max() ?? 0
    let values = bars.map { TextWidth.of($0.text, in: glyphs) }.max() ?? 0
    let top = bars.compactMap(\.top).first ?? bars.map(\.value).filter(\.isFinite).max() ?? 0
    within(rect) { canvas in
      var rest = canvas.bounds
      let valueRoom = rest.cutRight(values)
      _ = rest.cutRight(1)
      // A bar and the blank before it get six columns, or half of an area with fewer than twelve columns.
      let labelRoom = rest.cutLeft(min(labels, max(rest.columns / 2, rest.columns - 6)))
      _ = rest.cutLeft(1)
      for (row, bar) in bars.prefix(canvas.bounds.rows).enumerated() {
        canvas.put([bar.label], column: labelRoom.column, row: row, width: labelRoom.columns)
        canvas.put(bar.text, column: valueRoom.column, row: row, width: valueRoom.columns, align: .right)
        let fraction = top > 0 && bar.value.isFinite ? bar.value / top : 0
        canvas.bar(fraction, column: rest.column, row: row, columns: rest.columns, bar.style)
      }
    }
  }

  /// Draws a progress bar, empty if `fraction` is `nil`, with a caption on the right if there is room.
  public mutating func gauge(
    _ fraction: Double?, caption: StyledText = "", _ style: Style = .accent, in rect: Rect
  ) {
    let width = caption.width(in: glyphs)
    within(rect) { canvas in
      var rest = canvas.bounds
      if width > 0, rest.columns >= width + 1 + 4 {
        let room = rest.cutRight(width)
        _ = rest.cutRight(1)
        canvas.put(caption, column: room.column, row: 0)
      }
      canvas.bar(fraction ?? 0, column: 0, row: 0, columns: rest.columns, style, track: true)
    }
  }

  mutating func bar(
    _ fraction: Double, column: Int, row: Int, columns: Int, _ style: Style, track: Bool = false
  ) {
    let rest = track ? String(repeating: glyphs.track, count: max(0, columns)) : ""
    put(rest, column: column, row: row, .track, width: columns)
    put(glyphs.bar(fraction, columns: columns), column: column, row: row, style, width: columns)
  }
}

extension GlyphSet {
  /// Returns a bar that fills a fraction of `columns`, rounded to eighths of a cell in Unicode or to cells in
  /// ASCII; a positive fraction is never rounded to 0.
  public func bar(_ fraction: Double, columns: Int) -> String {
    guard columns > 0, fraction.isFinite, fraction > 0 else { return "" }
    let length = max(1, Int((min(1, fraction) * Double(columns * growing.count)).rounded()))
    let (full, rest) = length.quotientAndRemainder(dividingBy: growing.count)
    return String(repeating: growing[growing.count - 1], count: full) + (rest == 0 ? "" : growing[rest - 1])
  }
}

/// Column chart without axes, with one screen column for each value and the newest value on the right.
public struct Sparkline: Sendable {
  /// Values from oldest to newest; `nil` if unknown, which is drawn as a gap.
  public var values: [Double?]
  public var ceiling: Double?
  /// Value at the bottom of the chart, for series that are never near zero.
  public var floor: Double
  public var style: Style

  public init(_ values: [Double?], ceiling: Double? = nil, floor: Double = 0, _ style: Style = .accent) {
    (self.values, self.ceiling, self.floor, self.style) = (values, ceiling, floor, style)
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let shown = values.suffix(rect.columns)
    let top = ceiling ?? shown.compactMap { $0 }.filter(\.isFinite).max() ?? 0
    let levels = canvas.glyphs.rising
    canvas.within(rect) { canvas in
      let rows = canvas.bounds.rows
      let start = canvas.bounds.columns - shown.count
      for (place, value) in shown.enumerated() {
        guard let value, value.isFinite else { continue }
        let height = Self.height(of: value - floor, top: top - floor, levels: rows * levels.count)
        for row in 0..<rows {
          let level = min(levels.count, height - row * levels.count)
          guard level > 0 else { break }
          canvas.put(levels[level - 1], column: start + place, row: rows - 1 - row, style)
        }
      }
    }
  }

  /// Returns at most `columns` values; each is the mean of the known values in one part of `values`.
  public static func squeezed(_ values: [Double?], to columns: Int) -> [Double?] {
    guard columns > 0, values.count > columns else { return values }
    return (0..<columns).map { place in
      let part = values[place * values.count / columns..<(place + 1) * values.count / columns]
      let known = part.compactMap { $0 }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }

  /// Returns the height of a value in levels, at least 1 so that a known zero is visible.
  private static func height(of value: Double, top: Double, levels: Int) -> Int {
    guard top > 0, value > 0, top.isFinite else { return 1 }
    return max(1, Int((min(1, value / top) * Double(levels)).rounded()))
  }
}
