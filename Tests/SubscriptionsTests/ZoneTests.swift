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

  struct Case: CustomTestStringConvertible {
    let name: String
    let instant: String
    let minute: String
    let abbreviation: String
    var testDescription: String { name }
  }

  static func instant(_ text: String) -> Instant { Instant(parsing: text) ?? .distantPast }

  @Test(arguments: [
    Case(
      name: "winter", instant: "2026-01-15T23:30:00Z", minute: "2026-01-16 00:30", abbreviation: "CET"),
    Case(
      name: "the last minute of winter", instant: "2026-03-29T00:59:59Z", minute: "2026-03-29 01:59",
      abbreviation: "CET"),
    Case(
      name: "the first of summer", instant: "2026-03-29T01:00:00Z", minute: "2026-03-29 03:00",
      abbreviation: "CEST"),
    Case(
      name: "the hour that comes twice", instant: "2026-10-25T01:00:00Z", minute: "2026-10-25 02:00",
      abbreviation: "CET"),
    Case(
      name: "before the first that is known", instant: "2020-07-01T00:00:00Z", minute: "2020-07-01 01:00",
      abbreviation: "CET"),
  ])
  func clocks(_ one: Case) {
    let instant = Self.instant(one.instant)
    #expect(Self.berlin.minute(instant) == one.minute)
    #expect(Self.berlin.date(instant) + " " + Self.berlin.clock(instant) == one.minute)
    #expect(Self.berlin.abbreviation(at: instant) == one.abbreviation)
  }

  @Test func utcIsWhatInstantsSayThemselves() {
    let instant = Self.instant("2026-11-21T09:05:00Z")
    #expect(Zone.utc.minute(instant) == instant.minuteText)
    #expect(Zone.utc.abbreviation(at: instant) == "UTC")
    #expect(Zone(name: "nowhere", []).minute(instant) == instant.minuteText)
  }
}
