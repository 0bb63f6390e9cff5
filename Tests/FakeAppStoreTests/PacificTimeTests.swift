import FakeAppStore
import Subscriptions
import Testing

@Suite struct PacificTimeTests {
  struct Clock: CustomTestStringConvertible, Sendable {
    let utc: String
    let hours: Int64
    var testDescription: String { utc }
  }

  @Test(
    "Hours behind UTC",
    arguments: [
      Clock(utc: "2026-01-15T12:00:00Z", hours: -8), Clock(utc: "2026-07-15T12:00:00Z", hours: -7),
      Clock(utc: "2026-03-08T09:59:59Z", hours: -8), Clock(utc: "2026-03-08T10:00:00Z", hours: -7),
      Clock(utc: "2026-11-01T08:59:59Z", hours: -7), Clock(utc: "2026-11-01T09:00:00Z", hours: -8),
      Clock(utc: "2024-03-10T10:00:00Z", hours: -7), Clock(utc: "2023-11-05T09:00:00Z", hours: -8),
      Clock(utc: "2013-08-01T07:00:00Z", hours: -7), Clock(utc: "2027-01-01T03:00:00Z", hours: -8),
    ])
  func offset(_ clock: Clock) throws {
    let instant = try #require(Instant(parsing: clock.utc))
    #expect(PacificTime.offset(at: instant) == clock.hours * Milliseconds.hour)
  }

  struct Lapse: CustomTestStringConvertible, Sendable {
    let from: String
    let period: Period
    let to: String
    var testDescription: String { "\(from) + \(period.iso8601)" }
  }

  @Test(
    "A period is counted by the wall clock of Los Angeles",
    arguments: [
      Lapse(from: "2024-02-29T21:11:56Z", period: Period(1, .month), to: "2024-03-29T20:11:56Z"),
      Lapse(from: "2026-01-31T20:00:00Z", period: Period(1, .month), to: "2026-02-28T20:00:00Z"),
      Lapse(from: "2026-06-15T12:00:00Z", period: Period(1, .month), to: "2026-07-15T12:00:00Z"),
      Lapse(from: "2026-10-15T12:00:00Z", period: Period(1, .month), to: "2026-11-15T13:00:00Z"),
      Lapse(from: "2024-02-29T12:00:00Z", period: Period(1, .year), to: "2025-02-28T12:00:00Z"),
      Lapse(from: "2026-03-06T12:00:00Z", period: Period(3, .day), to: "2026-03-09T11:00:00Z"),
      Lapse(from: "2026-10-30T12:00:00Z", period: Period(1, .week), to: "2026-11-06T13:00:00Z"),
      Lapse(from: "2026-02-08T10:30:00Z", period: Period(1, .month), to: "2026-03-08T10:30:00Z"),
      Lapse(from: "2026-02-01T05:30:00Z", period: Period(1, .month), to: "2026-03-01T05:30:00Z"),
    ])
  func adding(_ lapse: Lapse) throws {
    let from = try #require(Instant(parsing: lapse.from))
    #expect(PacificTime.adding(lapse.period, to: from).iso8601 == lapse.to)
  }
}
