import Subscriptions
import TestSupport
import Testing

@Suite struct InstantTests {
  struct Reading: CustomTestStringConvertible {
    let text: String
    let milliseconds: Int64?
    var testDescription: String { text.isEmpty ? "empty" : text }
  }

  @Test(arguments: [
    Reading(text: "2026-01-01", milliseconds: 1_767_225_600_000),
    Reading(text: "2026-01-01T00:00:00Z", milliseconds: 1_767_225_600_000),
    Reading(text: "2026-01-01T02:00:00+02:00", milliseconds: 1_767_225_600_000),
    Reading(text: "2025-12-31T16:00:00-0800", milliseconds: 1_767_225_600_000),
    Reading(text: "2026-01-01T00:00", milliseconds: 1_767_225_600_000),
    Reading(text: "2026-01-01 00:00:00.25", milliseconds: 1_767_225_600_250),
    Reading(text: "1767225600000", milliseconds: 1_767_225_600_000),
    Reading(text: "-62135596800000", milliseconds: -62_135_596_800_000),
    Reading(text: "1969-12-31T23:59:59.999Z", milliseconds: -1),
    Reading(text: "2024-02-29", milliseconds: 1_709_164_800_000),
    Reading(text: "2023-02-29", milliseconds: nil), Reading(text: "2026-13-01", milliseconds: nil),
    Reading(text: "2026-01-32", milliseconds: nil), Reading(text: "2026-01-01T25:00", milliseconds: nil),
    Reading(text: "2025-12-31T24:00", milliseconds: 1_767_225_600_000),
    Reading(text: "2025-12-31T24:01", milliseconds: nil),
    Reading(text: "2025-12-31T24:00:00.001", milliseconds: nil),
    Reading(text: "2026-01-01T00:60", milliseconds: nil),
    Reading(text: "2026-01-01T00:00+24:00", milliseconds: nil),
    Reading(text: "2026-01-01T", milliseconds: 1_767_225_600_000),
    Reading(text: "2026-01-01T00:00+2", milliseconds: nil), Reading(text: "yesterday", milliseconds: nil),
    Reading(text: "", milliseconds: nil), Reading(text: "99999999999999999999", milliseconds: nil),
    Reading(text: "2026-01-01T00:00:00.", milliseconds: 1_767_225_600_000),
    Reading(text: "2026", milliseconds: nil), Reading(text: "1", milliseconds: 1),
    Reading(text: "86400000", milliseconds: 86_400_000),
  ])
  func reads(_ reading: Reading) {
    #expect(Instant(parsing: reading.text)?.rawValue == reading.milliseconds)
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
  @Test func daysAndDatesAreTheSameThing() throws {
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

  @Test func monthsEndWhereTheyEnd() throws {
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
