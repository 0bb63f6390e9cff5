import Subscriptions
import TestSupport
import Testing

@Suite struct ChurnFiguresTests {
  struct Renewal: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Outcome of row 1, which ends on day 30; `nil` if it is not due.
    let outcome: PeriodOutcome?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Renewal(name: "at the expiry", rows: [monthly("1", 0, 30), monthly("2", 30, 60)], outcome: .renewed),
    Renewal(name: "24 h after", rows: [monthly("1", 0, 30), monthly("2", 31, 61)], outcome: .renewed),
    Renewal(
      name: "a millisecond later than that",
      rows: [monthly("1", 0, 30), .make("2", purchase: day(31) + 1, expires: day(61))], outcome: .unrenewed),
    Renewal(
      name: "more than 60 days later", rows: [monthly("1", 0, 30), monthly("2", 91, 121)], outcome: .unrenewed
    ),
    Renewal(name: "ahead", rows: [monthly("1", 0, 30), monthly("2", 29, 59)], outcome: .renewed),
    Renewal(
      name: "to another product", rows: [monthly("1", 0, 30), row("weekly", "2", 30, 37)], outcome: .renewed),
    Renewal(
      name: "by a row that does not end later", rows: [monthly("1", 0, 30), row("weekly", "2", 20, 27)],
      outcome: .unrenewed),
    Renewal(
      name: "by a row from before", rows: [monthly("1", 0, 30), row("yearly", "2", -5, 360)],
      outcome: .unrenewed),
    Renewal(
      name: "by a refunded row", rows: [monthly("1", 0, 30), refunded(monthly("2", 30, 60), at: day(31))],
      outcome: .renewed),
    Renewal(name: "refunded is not due", rows: [refunded(monthly("1", 0, 30), at: day(5))], outcome: nil),
    Renewal(
      name: "upgraded is not due", rows: [upgraded(monthly("1", 0, 30)), row("yearly", "2", 5, 370)],
      outcome: nil),
  ])
  func renewals(_ test: Renewal) throws {
    let line = try Chain.make(test.rows).line()
    #expect(line.rows.first { $0.id.rawValue == "1" }?.outcome == test.outcome)
  }

  /// METRICS §5, Renewals: more than a day late, the position just before the next row decides.
  @Test(
    arguments: [
      (31, .renewed, "renewed"), (32, .recovered, "in grace"), (45, .recovered, "on the last day of grace"),
      (50, .recovered, "after grace, in retry"), (91, .unrenewed, "more than 60 days late"),
    ] as [(Int, PeriodOutcome, String)])
  func renewalsAfterAFailure(back: Int, outcome: PeriodOutcome, name: String) throws {
    let failed = RenewalInfo.make(intent: .billingError, retry: true, grace: day(46))
    let chain = Chain.make(
      [monthly("1", 0, 30), monthly("2", back, back + 30)],
      infos: [.make(at: day(30, hours: 6), failed), .make(at: day(back), .make())], validated: day(back))
    #expect(try chain.line().rows.first?.outcome == outcome, "\(name)")
    let figures = EvidenceLedger.make([chain]).figures(.churn, at: day(back), days: 91)
    let renewals = try #require(figures[parts: "renewals"].first)
    #expect(renewals["due"] == 1 && renewals["recovered"] == (outcome == .recovered ? 1 : 0), "\(name)")
    #expect(renewals["lost"] == (outcome == .unrenewed ? 1 : 0), "\(name)")
  }

  struct Conversion: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Ended, converted, converted late.
    let figures: [Int]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Conversion(name: "at its end", rows: [trial("1", 40, 47), monthly("2", 47, 77)], figures: [1, 1, 0]),
    Conversion(name: "24 h after", rows: [trial("1", 40, 47), monthly("2", 48, 78)], figures: [1, 1, 0]),
    Conversion(
      name: "later than that",
      rows: [trial("1", 40, 47), .make("2", purchase: day(48) + 1, expires: day(78))],
      figures: [1, 0, 1]),
    Conversion(
      name: "60 days after", rows: [trial("1", -5, 33), monthly("2", 93, 123)], figures: [1, 0, 1]),
    Conversion(
      name: "later than that too",
      rows: [trial("1", -5, 33), .make("2", purchase: day(93) + 1, expires: day(123))],
      figures: [1, 0, 0]),
    Conversion(name: "never", rows: [trial("1", 40, 47)], figures: [1, 0, 0]),
    Conversion(name: "still running", rows: [trial("1", 55, 62)], figures: [0, 0, 0]),
    Conversion(
      name: "ended before the window", rows: [trial("1", 25, 32), monthly("2", 32, 62)], figures: [0, 0, 0]),
    Conversion(name: "ended at the as-of instant", rows: [trial("1", 53, 60)], figures: [1, 0, 0]),
    Conversion(
      name: "upgraded within the trial", rows: [upgraded(trial("1", 40, 70)), row("yearly", "2", 45, 410)],
      figures: [1, 1, 0]),
    Conversion(
      name: "two trials in a row, then paid",
      rows: [trial("1", 40, 47), trial("2", 47, 54), monthly("3", 54, 84)],
      figures: [2, 1, 1]),
  ])
  func conversions(_ test: Conversion) throws {
    let figures = EvidenceLedger.make([.make(test.rows)]).figures(.churn, at: day(60))
    #expect(["ended", "converted", "converted_late"].map { figures["trials.\($0)"] } == test.figures)
  }
}
