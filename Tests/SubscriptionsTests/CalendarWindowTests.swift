import Subscriptions
import TestSupport
import Testing

@Suite struct CalendarWindowTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let choice: String
    var now = "2026-11-21T09:05:00Z"
    var zone = Zone.utc
    let from: String
    let to: String
    let days: Int
    /// End of the previous window.
    let before: String
    let yearAgo: String

    var testDescription: String { "\(choice) \(zone.name) \(now)" }
  }

  /// Midnight does not exist on the first of October: clocks go from 00:00 to 01:00.
  private static let asuncion = Zone(
    name: "America/Asuncion",
    [
      Zone.Stretch(from: .distantPast, offset: -4.hours, abbreviation: "-04"),
      Zone.Stretch(from: ZoneTests.instant("2017-10-01T04:00Z"), offset: -3.hours, abbreviation: "-03"),
    ])

  @Test(arguments: [
    Case(
      choice: "month", from: "2026-11-01T00:00Z", to: "2026-11-21T09:05:00Z",
      days: 21, before: "2026-10-21T09:05:00Z", yearAgo: "2025-11-21T09:05:00Z"),
    Case(
      choice: "month", now: "2026-11-01T00:00:00Z", from: "2026-11-01T00:00Z", to: "2026-11-01T00:00:00Z",
      days: 1, before: "2026-10-01T00:00:00Z", yearAgo: "2025-11-01T00:00:00Z"),
    Case(
      choice: "month", now: "2026-03-30T10:00:00Z", from: "2026-03-01T00:00Z", to: "2026-03-30T10:00:00Z",
      days: 30, before: "2026-02-28T23:59:59.999Z", yearAgo: "2025-03-30T10:00:00Z"),
    Case(
      choice: "last-month", from: "2026-10-01T00:00Z",
      to: "2026-10-31T23:59:59.999Z", days: 31, before: "2026-09-30T23:59:59.999Z",
      yearAgo: "2025-10-31T23:59:59.999Z"),
    Case(
      choice: "2024-02", from: "2024-02-01T00:00Z",
      to: "2024-02-29T23:59:59.999Z", days: 29, before: "2024-01-31T23:59:59.999Z",
      yearAgo: "2023-02-28T23:59:59.999Z"),
    Case(
      choice: "2026-11", from: "2026-11-01T00:00Z", to: "2026-11-21T09:05:00Z",
      days: 21, before: "2026-10-21T09:05:00Z", yearAgo: "2025-11-21T09:05:00Z"),
    // One hour longer than 31 days, and back to summer time in the month before.
    Case(
      choice: "2026-10", zone: ZoneTests.berlin, from: "2026-09-30T22:00Z",
      to: "2026-10-31T22:59:59.999Z", days: 31, before: "2026-09-30T21:59:59.999Z",
      yearAgo: "2025-10-31T22:59:59.999Z"),
    // 02:30 exists on April 29, but not on March 29, when Berlin's clocks skip it.
    Case(
      choice: "month", now: "2026-04-29T00:30:00Z", zone: ZoneTests.berlin, from: "2026-03-31T22:00Z",
      to: "2026-04-29T00:30:00Z", days: 29, before: "2026-03-29T00:59:59.999Z",
      yearAgo: "2025-04-29T01:30:00Z"),
    Case(
      choice: "quarter", from: "2026-10-01T00:00Z", to: "2026-11-21T09:05:00Z",
      days: 52, before: "2026-08-21T09:05:00Z", yearAgo: "2025-11-21T09:05:00Z"),
    Case(
      choice: "2026-Q1", from: "2026-01-01T00:00Z",
      to: "2026-03-31T23:59:59.999Z", days: 90, before: "2025-12-31T23:59:59.999Z",
      yearAgo: "2025-03-31T23:59:59.999Z"),
    Case(
      choice: "year", from: "2026-01-01T00:00Z", to: "2026-11-21T09:05:00Z",
      days: 325, before: "2025-11-21T09:05:00Z", yearAgo: "2025-11-21T09:05:00Z"),
    Case(
      choice: "2025", from: "2025-01-01T00:00Z", to: "2025-12-31T23:59:59.999Z",
      days: 365, before: "2024-12-31T23:59:59.999Z", yearAgo: "2024-12-31T23:59:59.999Z"),
    Case(
      choice: "2017-10", zone: asuncion, from: "2017-10-01T04:00Z",
      to: "2017-11-01T02:59:59.999Z", days: 31, before: "2017-10-01T03:59:59.999Z",
      yearAgo: "2016-11-01T03:59:59.999Z"),
  ])
  func windows(_ one: Case) throws {
    let choice = try #require(WindowChoice(parsing: one.choice))
    let now = ZoneTests.instant(one.now)
    let question = choice.asked(Question(panel: .churn, at: now), in: one.zone, since: nil)
    #expect(question.window.from + 1 == ZoneTests.instant(one.from))
    #expect(question.window.to == ZoneTests.instant(one.to) && question.window.days == one.days)
    #expect(Comparison.before.that(question).at == ZoneTests.instant(one.before))
    #expect(question.before.window.to == ZoneTests.instant(one.before))
    #expect(question.before.window.to <= question.window.from)
    #expect(Comparison.year.that(question).at == ZoneTests.instant(one.yearAgo))
    let isPast = question.at != now
    #expect(question.window.isWhole == isPast && question.isLookingBack == isPast)
    #expect((question.knownAt ?? now) == now, "the end of a month is judged from what is known now")
  }

  @Test(
    "are read as they are written",
    arguments: [
      "28", "365", "3650", "2026d", "all", "month", "last-month", "quarter", "last-quarter", "year",
      "last-year", "2026-09", "2026-Q3", "2026",
    ])
  func texts(_ text: String) { #expect(WindowChoice(parsing: text)?.text == text) }

  @Test(
    "are refused",
    arguments: [
      "", "0", "36501", "-5", "28h", "2026-13", "2026-9", "2026-Q5", "2026-", "1999-01", "month-1", "last",
    ])
  func refused(_ text: String) { #expect(WindowChoice(parsing: text) == nil) }

  @Test func partsAreOfTheZone() {
    let asked = WindowChoice.last(.quarter).asked(
      Question(panel: .movement, at: ZoneTests.instant("2027-01-05T00:00Z")), in: ZoneTests.berlin, since: nil
    )
    let months = MovementPart.stretches(of: asked.window, by: .month, in: asked.length.zone)
    #expect(months.compactMap(\.value) == ["2026-10", "2026-11", "2026-12"])
    for month in months {
      #expect(month.window(within: asked.window, in: asked.length.zone).days == month.wholeDays)
    }
  }
}
