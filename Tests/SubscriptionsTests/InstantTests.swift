import Subscriptions
import TestSupport
import Testing

@Suite struct InstantTests {

  @Test(
    arguments: [
      ("2026-01-01", 1_767_225_600_000),
      ("2026-01-01T00:00:00Z", 1_767_225_600_000),
      ("2026-01-01T02:00:00+02:00", 1_767_225_600_000),
      ("2025-12-31T16:00:00-0800", 1_767_225_600_000),
      ("2026-01-01T00:00", 1_767_225_600_000),
      ("2026-01-01 00:00:00.25", 1_767_225_600_250),
      ("1767225600000", 1_767_225_600_000),
      ("-62135596800000", -62_135_596_800_000),
      ("1969-12-31T23:59:59.999Z", -1),
      ("2024-02-29", 1_709_164_800_000),
      ("2023-02-29", nil), ("2026-13-01", nil),
      ("2026-01-32", nil), ("2026-01-01T25:00", nil),
      ("2025-12-31T24:00", 1_767_225_600_000),
      ("2025-12-31T24:01", nil),
      ("2025-12-31T24:00:00.001", nil),
      ("2026-01-01T00:60", nil),
      ("2026-01-01T00:00+24:00", nil),
      ("2026-01-01T", 1_767_225_600_000),
      ("2026-01-01T00:00+2", nil), ("yesterday", nil),
      ("", nil), ("99999999999999999999", nil),
      ("2026-01-01T00:00:00.", 1_767_225_600_000),
      ("2026", nil), ("1", 1),
      ("86400000", 86_400_000),
    ] as [(String, Int64?)])
  func reads(_ text: String, _ milliseconds: Int64?) {
    #expect(Instant(parsing: text)?.rawValue == milliseconds)
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_767_225_600_000, "2026-01-01T00:00:00Z"), (1_767_229_505_007, "2026-01-01T01:05:05.007Z"),
    (253_402_300_799_000, "9999-12-31T23:59:59Z"),
  ])
  func writes(_ milliseconds: Int64, _ text: String) {
    let instant = Instant(milliseconds: milliseconds)
    #expect(instant.iso8601 == text)
    #expect(Instant(parsing: text) == instant)
  }

  @Test func arithmeticStopsAtTheEndsOfTime() {
    #expect(Instant.distantFuture + 1 == .distantFuture)
    #expect(Instant.distantPast - 1 == .distantPast)
    #expect(Instant.distantPast + -1 == .distantPast)
    #expect(Instant.distantFuture - .distantPast == .max)
    #expect(Instant.distantPast - .distantFuture == -.max)
    #expect(Instant(milliseconds: 5) - Instant(milliseconds: 7) == -2)
    #expect(Instant(milliseconds: 0) - Int64.min == .distantFuture)
  }

  @Test func theEndsOfTimeCanBeWritten() {
    for instant in [Instant.distantPast, .distantFuture] { #expect(!instant.iso8601.isEmpty) }
  }
}

@Suite struct CivilDateTests {
  @Test func daysAndDatesRoundTrip() throws {
    var days = -800_000
    var last = CivilDate(daysSince1970: days - 1)
    while days < 800_000 {
      let date = CivilDate(daysSince1970: days)
      #expect(date.daysSince1970 == days)
      #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
      if days % 97 == 1 { #expect(last < date) }
      last = date
      days += 97
    }
  }

  @Test func addingMonthsClampsToTheLastDay() throws {
    let january = try #require(CivilDate(year: 2024, month: 1, day: 31))
    #expect(january.adding(months: 1) == CivilDate(year: 2024, month: 2, day: 29))
    #expect(january.adding(months: 13) == CivilDate(year: 2025, month: 2, day: 28))
    #expect(january.adding(months: -2) == CivilDate(year: 2023, month: 11, day: 30))
    #expect(january.adding(months: -12) == CivilDate(year: 2023, month: 1, day: 31))
  }

  @Test func weekdays() {
    #expect(CivilDate(daysSince1970: 0).weekday == 4)
    #expect(CivilDate(daysSince1970: -4).weekday == 0)
    #expect(day(0).civilDate.weekday == 4)
  }

  @Test(arguments: [(1900, 28), (2000, 29), (2023, 28), (2024, 29)])
  func februaries(_ year: Int, _ days: Int) {
    #expect(CivilDate.days(inMonth: 2, of: year) == days)
  }
}
