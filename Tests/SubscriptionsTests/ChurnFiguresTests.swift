import Subscriptions
import TestSupport
import Testing

@Suite struct ChurnFiguresTests {
  private static func ended(_ intent: ExpirationIntent?) -> RenewalInfo {
    .make(autoRenew: false, intent: intent, retry: false)
  }

  /// At day 60 with a window of 28 days: from day 32.
  private static let population: Population = .make(chains)
  private static let chains: [Chain] = [
    chain("A", monthly("1", 10, 40), info: ended(.customerCancelled)),
    chain("B", monthly("2", 11, 41), info: ended(.billingError)),
    chain("C", trial("3", 35, 42), info: ended(.customerCancelled)),
    chain("D", refunded(monthly("4", 20, 50), at: day(45))),
    chain("E", monthly("5", 1, 31), info: ended(.customerCancelled)),
    chain("F", monthly("6", 20, 50), monthly("7", 50, 80)),
    chain("G", monthly("8", 33, 58)),
    chain(
      "H", monthly("9", 10, 40), info: RenewalInfo.make(intent: .billingError, retry: true), seen: day(41)),
    chain("I", monthly("10", 25, 55), validated: day(50)),
    chain("J", shared(monthly("11", 10, 40))),
    chain("K", monthly("12", 10, 40), environment: .sandbox),
    chain("L", refunded(trial("13", 35, 42), at: day(36))),
    chain("M", monthly("14", 2, 32), info: ended(.customerCancelled)),
    chain("N", monthly("15", 30, 60), info: ended(.productNotAvailable)),
    chain("O", monthly("16", 20, 50), info: ended(.unknown("9"))),
  ]

  private var figures: ChurnFigures {
    get throws {
      let figures = try #require(Self.population.figures(.churn, at: day(60)).churn)
      return figures
    }
  }

  @Test func lostLinesByWhy() throws {
    let figures = try figures
    #expect(figures.byIntent.map(\.intent) == ["1", "2", "3", "4", "5", "9", nil])
    #expect(figures.byIntent.map(\.paid) == [1, 1, 0, 1, 0, 1, 1])  // A, B, N at the window's end, O, G
    #expect(figures.byIntent.map(\.trial) == [1, 0, 0, 0, 0, 0, 0])  // C
    #expect(figures.refunded.paid == 1)  // D
    #expect(figures.refunded.trial == 1)  // L
    #expect(figures.lostPaid == 6)
    #expect(figures.lostTrial == 2)
    #expect(figures.voluntary == 1)
    #expect(figures.involuntary == 1)
  }

  /// Paid at day 32: A B D F H I N O; M expired at that very instant. G began later, and is among the lost.
  @Test func rate() throws {
    #expect(try figures.baseAtStart == 8)
    #expect(try figures.churnRate == 6.0 / 8)
  }

  /// Due: A40 B41 F50 G58 H40 I55 N60 O50; D has a cancellation date.
  @Test func renewals() throws {
    let renewals = try figures.renewals
    #expect(renewals.map(\.period?.iso8601) == ["P1M"])
    #expect(renewals.map { [$0.due, $0.renewed, $0.recovered, $0.pending, $0.lost] } == [[8, 1, 0, 2, 5]])
  }

  @Test func theProductThatIsCounted() throws {
    let population = Population.make([
      chain("1", refunded(row("yearly", "1", 0, 365), at: day(41)), monthly("2", 10, 40))
    ])
    let yearly = try #require(population.figures(.churn, at: day(60), products: [ProductID("yearly")]).churn)
    let monthly = try #require(
      population.figures(.churn, at: day(60), products: [ProductID("monthly")]).churn)
    #expect(yearly.refunded.paid == 1)
    #expect(monthly.refunded.paid == 0)
    #expect(yearly.lostPaid == 1 && monthly.lostPaid == 0)
  }

  @Test func noRateWithoutAStart() throws {
    let figures = try #require(Population.make([]).figures(.churn, at: day(60)).churn)
    #expect(figures.churnRate == nil)
    #expect(figures.byIntent.map(\.intent) == ["1", "2", "3", "4", "5", nil])
  }

  struct Renewal: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Of row 1, which ends on day 30: nil is not due.
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

  struct Conversion: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Ended, converted, late.
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
    let figures = try #require(Population.make([.make(test.rows)]).figures(.churn, at: day(60)).churn)
    #expect([figures.trials.ended, figures.trials.converted, figures.trials.convertedLate] == test.figures)
  }
}
