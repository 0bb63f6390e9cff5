import Subscriptions
import TestSupport
import Testing

/// METRICS §5, Proceeds.
@Suite struct CommissionTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    var program = SmallBusinessProgram.none
    /// Commission of each row in percent; `nil` for a trial.
    let percents: [Int?]
    var testDescription: String { name }
  }

  private static let app = BundleID("com.example.app")

  private static func months(_ count: Int, from start: Int = 0) -> [Transaction] {
    (0..<count).map { monthly("\(start)-\($0)", start + 30 * $0, start + 30 * $0 + 30) }
  }

  @Test(arguments: [
    Case(name: "360 days before", rows: months(13), percents: Array(repeating: 30, count: 13)),
    Case(name: "390 days before", rows: months(14), percents: Array(repeating: 30, count: 13) + [15]),
    Case(
      name: "365 days before, to the millisecond",
      rows: [row("yearly", "1", 0, 365), monthly("2", 365, 395)],
      percents: [30, 15]),
    Case(
      name: "an hour less, as daylight saving takes it",
      rows: [
        .make("1", product: "yearly", purchase: day(0) + 1.hours, expires: day(365)), monthly("2", 365, 395),
      ], percents: [30, 15]),
    Case(
      name: "a millisecond less than that",
      rows: [
        .make("1", product: "yearly", purchase: day(0) + 1.hours + 1, expires: day(365)),
        monthly("2", 365, 395),
      ], percents: [30, 30]),
    Case(
      name: "an hour less that a refund took",
      rows: [
        refunded(row("yearly", "1", 0, 365), at: day(365) - 1.hours), monthly("2", 365, 395),
      ], percents: [30, 30]),
    Case(
      name: "a trial is not paid", rows: [trial("0", -30, 0)] + months(14),
      percents: [nil] + Array(repeating: 30, count: 13) + [15]),
    Case(
      name: "a gap of 60 days keeps the days", rows: [row("yearly", "1", 0, 365), monthly("2", 425, 455)],
      percents: [30, 15]),
    Case(
      name: "a longer gap starts again",
      rows: [
        row("yearly", "1", 0, 365), .make("2", purchase: day(425) + 1, expires: day(455)),
        monthly("3", 455, 485),
      ], percents: [30, 30, 30]),
    Case(
      name: "a refund takes its days away",
      rows: [refunded(row("yearly", "1", 0, 365), at: day(370)), monthly("2", 365, 395)], percents: [30, 30]),
    Case(
      name: "a year that was billed before the trial's end",
      rows: [
        trial("0", -7, 0),
        .make("1", product: "yearly", purchase: day(0) - 1.hours, expires: day(365) - 1.hours),
        .make("2", purchase: day(365) - 1.hours, expires: day(395)),
      ], percents: [nil, 30, 15]),
    Case(
      name: "a year that was billed before the end of a period that was refunded",
      rows: [
        refunded(monthly("0", -30, 0), at: day(20)), row("yearly", "1", -1, 364), monthly("2", 364, 394),
      ], percents: [30, 30, 15]),
    Case(
      name: "paid periods that overlap are served once",
      rows: [
        monthly("0", -30, 1), row("yearly", "1", 0, 334), monthly("2", 334, 364), monthly("3", 364, 394),
      ],
      percents: [30, 30, 30, 15]),
    Case(
      name: "an upgraded row counts as long as it was used",
      rows: [upgraded(row("monthly", "1", 0, 30)), row("yearly", "2", 10, 375), monthly("3", 375, 405)],
      percents: [30, 30, 15]),
    Case(
      name: "in the Small Business Program at the purchase", rows: months(2),
      program: SmallBusinessProgram([app: [.init(from: day(30), until: day(60))]]), percents: [30, 15]),
    Case(
      name: "another app's membership", rows: months(1),
      program: SmallBusinessProgram([BundleID("com.example.other"): [.init()]]), percents: [30]),
  ])
  func percents(_ test: Case) throws {
    var chain = Chain.make(test.rows)
    chain.bundleID = Self.app
    let rows = try chain.line().rows
    #expect(rows.map { $0.commission(app: Self.app, program: test.program)?.percent } == test.percents)
  }

  /// Extension days added by Apple are unpaid, so the year is still complete after 13 rows
  /// of 30 days. Only an observed change of the end distinguishes an extension from a long period.
  @Test(
    arguments: [
      ([30, 90], 13), ([30, 75], 13), ([30, 20, 90], 13), ([30, 90, 30], 13), ([30, 20], 13), ([90], 11),
    ] as [([Int], Int)])
  func anExtensionIsNotPaidFor(lengths: [Int], firstReduced: Int) throws {
    func sixth(_ length: Int) -> Transaction { monthly("6", 150, 150 + length) }
    let present = lengths[lengths.count - 1]
    var chain = Chain.make(Self.months(5) + [sixth(present)] + Self.months(12, from: 150 + present))
    if lengths.count > 1 {
      chain.endsHistory[TransactionID("6")] = lengths.enumerated().map { place, length in
        let seen = day(151 + place)
        return EndsObservation(ends: sixth(length).ends, from: seen, through: seen)
      }
    }
    let percents = try chain.line().rows.map { $0.commission(app: nil, program: .none)?.percent }
    #expect(percents.firstIndex(of: 15) == firstReduced)
  }

  @Test(
    arguments: [
      (Commission.standard, 9_990_000, 6_993_000), (.afterOneYear, 9_990_000, 8_491_500), (.standard, 1, 1),
      (.afterOneYear, 1, 1),
      // Half to even: 70 % of 5 is 3.5, 85 % of 10 is 8.5.
      (.standard, 5, 4), (.afterOneYear, 10, 8), (.standard, 15, 10),
    ] as [(Commission, Int64, Int64)])
  func proceeds(commission: Commission, price: Int64, left: Int64) {
    let usd = CurrencyCode("USD")
    #expect(
      commission.proceeds(of: Money(micros: price, currency: usd)) == Money(micros: left, currency: usd))
  }

  @Test func salesOfAWindow() throws {
    var chain = Chain.make([trial("0", -7, 0)] + Self.months(3) + [row("unlisted", "9", 5, 33)])
    chain.bundleID = Self.app
    var question = Question(panel: .overview, at: day(40))
    question.smallBusinessProgram = SmallBusinessProgram([Self.app: [.init(from: day(20))]])
    let sales = EvidenceLedger.make([chain]).report(question).data
    // Bought in (12, 40]: the second month, in the program.
    #expect(sales["sales.transactions"] == 1 && sales["sales.unpriced"] == 0)
    #expect(sales["sales.small_business"] == 1)
    #expect(sales[amounts: "sales.amount"].totals.map(\.micros) == [9_990_000])
    #expect(sales[amounts: "sales.proceeds"].totals.map(\.micros) == [8_491_500])
    question.windowDays = 100
    let all = EvidenceLedger.make([chain]).report(question).data
    #expect(all["sales.transactions"] == 3 && all["sales.unpriced"] == 1 && all["sales.small_business"] == 1)
    #expect(all[amounts: "sales.proceeds"].totals.map(\.micros) == [6_993_000 + 8_491_500])
  }
}
