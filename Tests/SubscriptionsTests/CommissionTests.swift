import Subscriptions
import TestSupport
import Testing

/// METRICS §5, Proceeds.
@Suite struct CommissionTests {

  private static let app = BundleID("com.example.app")

  private static func months(_ count: Int, from start: Int = 0) -> [Transaction] {
    (0..<count).map { monthly("\(start)-\($0)", start + 30 * $0, start + 30 * $0 + 30) }
  }

  @Test(
    arguments: [
      (
        "an hour less, as daylight saving takes it",
        [
          .make("1", product: "yearly", purchase: day(0) + 1.hours, expires: day(365)),
          monthly("2", 365, 395),
        ], .none, [30, 15]
      ),
      (
        "an hour less that a refund took",
        [refunded(row("yearly", "1", 0, 365), at: day(365) - 1.hours), monthly("2", 365, 395)], .none,
        [30, 30]
      ),
      (
        "in the Small Business Program at the purchase", months(2),
        SmallBusinessProgram([app: [.init(from: day(30), until: day(60))]]), [30, 15]
      ),
      (
        "another app's membership", months(1),
        SmallBusinessProgram([BundleID("com.example.other"): [.init()]]), [30]
      ),
    ] as [(String, [Transaction], SmallBusinessProgram, [Int?])])
  func percents(
    _ name: String, _ rows: [Transaction], _ program: SmallBusinessProgram, _ percents: [Int?]
  ) throws {
    var chain = Chain.make(rows)
    chain.bundleID = Self.app
    let rows = try chain.line().rows
    #expect(rows.map { $0.commission(app: Self.app, program: program)?.percent } == percents)
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
    question.length = .days(100)
    let all = EvidenceLedger.make([chain]).report(question).data
    #expect(all["sales.transactions"] == 3 && all["sales.unpriced"] == 1 && all["sales.small_business"] == 1)
    #expect(all[amounts: "sales.proceeds"].totals.map(\.micros) == [6_993_000 + 8_491_500])
  }
}
