import Subscriptions
import TestSupport
import Testing

@Suite struct ZoneTests {
  /// Berlin changed its clocks on 2026-03-29 and 2026-10-25, both at 01:00 UTC.
  static let berlin = Zone(
    name: "Europe/Berlin",
    [
      Zone.Stretch(from: instant("2025-10-26T01:00:00Z"), offset: Milliseconds.hour, abbreviation: "CET"),
      Zone.Stretch(
        from: instant("2026-03-29T01:00:00Z"), offset: 2 * Milliseconds.hour, abbreviation: "CEST"),
      Zone.Stretch(from: instant("2026-10-25T01:00:00Z"), offset: Milliseconds.hour, abbreviation: "CET"),
    ])

  static func instant(_ text: String) -> Instant { Instant(parsing: text) ?? .distantPast }

  @Test(arguments: [
    ("winter", "2026-01-15T23:30:00Z", "2026-01-16 00:30", "CET"),
    ("the last minute of winter", "2026-03-29T00:59:59Z", "2026-03-29 01:59", "CET"),
    ("the first of summer", "2026-03-29T01:00:00Z", "2026-03-29 03:00", "CEST"),
    ("the hour that comes twice", "2026-10-25T01:00:00Z", "2026-10-25 02:00", "CET"),
    ("before the first that is known", "2020-07-01T00:00:00Z", "2020-07-01 01:00", "CET"),
  ])
  func clocks(_ name: String, _ instant: String, _ minute: String, _ abbreviation: String) {
    let instant = Self.instant(instant)
    #expect(Self.berlin.minute(instant) == minute)
    #expect(Self.berlin.date(instant) + " " + Self.berlin.clock(instant) == minute)
    #expect(Self.berlin.abbreviation(at: instant) == abbreviation)
  }

  @Test func utcFormatsLikeInstants() {
    let instant = Self.instant("2026-11-21T09:05:00Z")
    #expect(Zone.utc.minute(instant) == instant.minuteText)
    #expect(Zone.utc.abbreviation(at: instant) == "UTC")
    #expect(Zone(name: "nowhere", []).minute(instant) == instant.minuteText)
  }
}
