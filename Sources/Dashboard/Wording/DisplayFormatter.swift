import Screen
import Subscriptions

/// Formatter of texts for the screen, with its glyphs, product names and time zone.
struct DisplayFormatter: Hashable, Sendable {
  var glyphs: GlyphSet
  var products = ProductNames.whole
  var zone = Zone.utc
  /// Whether a past instant is shown (`--at`), so that due dates, which are current, are not shown as ages.
  var isOfPast = false
  /// Instant from which ages in filters and the days of a forecast are counted.
  var now = Instant.distantPast

  func date(_ instant: Instant) -> String { zone.date(instant) }
  /// Returns the end of a window: `2026-11-21`, a whole period such as `2026-11`, or `2026-Q4 to 11-21`.
  func end(of window: Window) -> String {
    guard let period = window.period, window.isWhole || period.unit != .month else { return date(window.to) }
    return "\(period)" + (window.isWhole ? "" : " to \(date(window.to).dropFirst(5))")
  }
  func minute(_ instant: Instant) -> String { zone.minute(instant) }
  func clock(_ instant: Instant) -> String { zone.clock(instant) }
  func moment(_ instant: Instant) -> String { "\(minute(instant)) \(zone.abbreviation(at: instant))" }
}

extension String {
  var sentenceCase: String { prefix(1).uppercased() + dropFirst() + "." }

  var trimmingSpaces: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
