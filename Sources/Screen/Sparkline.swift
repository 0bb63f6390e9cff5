/// A row of small columns, the newest on the right. It is several rows high if there is room.
public struct Sparkline: Sendable {
  /// From oldest to newest; `nil` if unknown, which is drawn as a gap and not as zero.
  public var values: [Double?]
  /// Value of full height; by default the largest shown.
  public var ceiling: Double?
  /// Value of no height, for values that are never near zero.
  public var floor: Double
  public var style: Style

  public init(_ values: [Double?], ceiling: Double? = nil, floor: Double = 0, _ style: Style = .accent) {
    self.values = values
    self.ceiling = ceiling
    self.floor = floor
    self.style = style
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

  /// Returns at most `columns` values, each the mean of the known values in its part.
  public static func squeezed(_ values: [Double?], to columns: Int) -> [Double?] {
    guard columns > 0, values.count > columns else { return values }
    return (0..<columns).map { place in
      let part = values[place * values.count / columns..<(place + 1) * values.count / columns]
      let known = part.compactMap { $0 }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }

  /// Returns a height of at least 1, so that a known zero is visible.
  private static func height(of value: Double, top: Double, levels: Int) -> Int {
    guard top > 0, value > 0, top.isFinite else { return 1 }
    return max(1, Int((min(1, value / top) * Double(levels)).rounded()))
  }
}
