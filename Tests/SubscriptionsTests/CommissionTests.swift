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
}
