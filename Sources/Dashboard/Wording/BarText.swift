import Screen

/// A horizontal bar as text, for the cell of a table.
enum BarText {
  static func of(_ fraction: Double?, columns: Int, _ style: Style, in glyphs: GlyphSet) -> StyledText {
    guard let fraction, fraction.isFinite, fraction > 0, columns > 0 else { return "" }
    let steps = glyphs.growing.count
    let length = max(1, Int((min(1, fraction) * Double(columns * steps)).rounded()))
    let full = String(repeating: glyphs.growing[steps - 1], count: length / steps)
    let rest = length % steps == 0 ? "" : glyphs.growing[length % steps - 1]
    return StyledText(full + rest, style)
  }
}
