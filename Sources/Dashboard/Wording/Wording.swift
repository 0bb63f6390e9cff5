import Screen
import Subscriptions

/// How content is put into words and signs.
struct Wording: Hashable, Sendable {
  var glyphs: GlyphSet
  var products = ProductNames.whole
  var zone = Zone.utc
  /// Whether the page is of an instant that has passed (`--at`). What is planned is known of now alone, and has no distance from then.
  var isOfPast = false

  /// `2026-11-21`
  func date(_ instant: Instant) -> String { zone.date(instant) }
  /// `2026-11-21 09:05`: what a table has room for.
  func minute(_ instant: Instant) -> String { zone.minute(instant) }
  /// `09:05`
  func clock(_ instant: Instant) -> String { zone.clock(instant) }
  /// `2026-11-21 09:05 CET`
  func moment(_ instant: Instant) -> String { "\(minute(instant)) \(zone.abbreviation(at: instant))" }
}

extension String {
  /// Sentence with a capital letter and a full stop.
  var sentenceCase: String { prefix(1).uppercased() + dropFirst() + "." }

  /// Copy without the blanks at both ends.
  var trimmingSpaces: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
