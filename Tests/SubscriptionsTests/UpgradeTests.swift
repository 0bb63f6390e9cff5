import Subscriptions
import TestSupport
import Testing

@Suite struct UpgradeTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// The upgraded row has the id `x`.
    let rows: [Transaction]
    let successor: String?
    let at: Instant?
    var confirmed = false
    var direction = ChangeDirection.upgrade
    let refund: Int64?
    var testDescription: String { name }
  }

  private static let x = upgraded(monthly("x", 0, 30))

  /// 9.99 for 30 days, calculated by hand.
  @Test(arguments: [
    Case(
      name: "inside the period", rows: [x, row("yearly", "y", 12, 377)], successor: "y", at: day(12),
      refund: 5_994_000),
    Case(
      name: "the earliest inside", rows: [x, row("yearly", "z", 20, 385), row("yearly", "y", 12, 377)],
      successor: "y", at: day(12), refund: 5_994_000),
    Case(
      name: "a row that starts at the end is no successor", rows: [x, row("yearly", "y", 30, 395)],
      successor: nil, at: nil, direction: .unranked, refund: nil),
    Case(
      name: "ahead of the renewal",
      rows: [x, .make("y", product: "yearly", purchase: day(0) - 6.hours, expires: day(365))],
      successor: "y", at: day(0), refund: 9_990_000),
    Case(
      name: "exactly 24 h ahead", rows: [x, row("yearly", "y", -1, 364)], successor: "y", at: day(0),
      refund: 9_990_000),
    Case(
      name: "more than 24 h ahead is the row before",
      rows: [x, .make("w", purchase: day(-1) - 1, expires: day(20))], successor: nil, at: nil,
      direction: .unranked, refund: nil),
    Case(
      name: "ahead wins over inside",
      rows: [
        x, .make("a", product: "yearly", purchase: day(0) - 1.hours, expires: day(365)),
        row("plus", "b", 12, 42),
      ], successor: "a", at: day(0), refund: 9_990_000),
    Case(
      name: "ahead must overlap",
      rows: [
        x, .make("a", product: "weekly", purchase: day(-1), expires: day(0)), row("yearly", "b", 15, 380),
      ],
      successor: "b", at: day(15), refund: 4_995_000),
    Case(
      name: "an upgraded row ahead is no successor",
      rows: [
        x, upgraded(.make("a", product: "plus", purchase: day(0) - 1.hours, expires: day(30))),
        row("yearly", "b", 15, 380),
      ],
      successor: "b", at: day(15), refund: 4_995_000),
    Case(
      name: "confirmed, a little after the successor",
      rows: [upgraded(monthly("x", 0, 30), confirmed: day(12) + 6000), row("yearly", "y", 12, 377)],
      successor: "y", at: day(12), confirmed: true, refund: 5_994_000),
    Case(
      name: "confirmed before the successor",
      rows: [upgraded(monthly("x", 0, 30), confirmed: day(6)), row("yearly", "y", 12, 377)],
      successor: "y", at: day(6), confirmed: true, refund: 7_992_000),
    Case(
      name: "confirmed without a successor", rows: [upgraded(monthly("x", 0, 30), confirmed: day(6))],
      successor: nil, at: day(6), confirmed: true, direction: .unranked, refund: 7_992_000),
    Case(
      name: "confirmed before the purchase is clamped",
      rows: [upgraded(monthly("x", 0, 30), confirmed: day(-3))],
      successor: nil, at: day(0), confirmed: true, direction: .unranked, refund: 9_990_000),
    Case(
      name: "confirmed after the expiry is clamped",
      rows: [upgraded(monthly("x", 0, 30), confirmed: day(300))],
      successor: nil, at: day(30), confirmed: true, direction: .unranked, refund: 0),
    Case(name: "nothing dates it", rows: [x], successor: nil, at: nil, direction: .unranked, refund: nil),
    Case(
      name: "the same level is a crossgrade", rows: [x, row("plus", "y", 12, 42)], successor: "y",
      at: day(12),
      direction: .crossgrade, refund: 5_994_000),
    Case(
      name: "a lower level is unranked", rows: [x, row("weekly", "y", 12, 19)], successor: "y", at: day(12),
      direction: .unranked, refund: 5_994_000),
    Case(
      name: "to the same product", rows: [x, monthly("y", 12, 42)], successor: "y", at: day(12),
      direction: .crossgrade, refund: 5_994_000),
    Case(
      name: "a trial gives nothing back", rows: [upgraded(trial("x", 0, 30)), row("yearly", "y", 12, 377)],
      successor: "y", at: day(12), refund: 0),
    Case(
      name: "unpriced",
      rows: [upgraded(monthly("x", 0, 30)), row("yearly", "y", 12, 377)].map { row in
        var row = row
        row.promotionalOfferID = "UNLISTED"
        return row
      }, successor: "y", at: day(12), refund: nil),
    Case(
      name: "an intro period at its own price",
      rows: [upgraded(monthly("x", 0, 30) { $0.isInIntroOfferPeriod = true }), row("yearly", "y", 12, 377)],
      successor: "y", at: day(12), refund: 1_194_000),
  ])
  func upgrades(_ test: Case) throws {
    let line = try Chain.make(test.rows).line()
    let row = try #require(line.rows.first { $0.id.rawValue == "x" })
    let upgrade = try #require(row.upgrade)
    #expect(upgrade.successorID?.rawValue == test.successor)
    #expect(upgrade.instant == test.at)
    #expect(upgrade.isConfirmed == test.confirmed)
    #expect(upgrade.direction == test.direction)
    #expect(upgrade.proratedRefund?.single == test.refund)
    #expect(!row.isRefund && row.refundedAt == nil)
    #expect(row.effectiveEnd == (test.at ?? row.purchase))
  }

  @Test func aTrialWithAPriceOfItsOwnStillGivesNothing() throws {
    let catalog = Catalog([.make("monthly", 990_000, offer: .trial), .make("monthly", 9_990_000)])
    let line = try Chain.make([upgraded(trial("x", 0, 30)), monthly("y", 12, 42)]).line(catalog: catalog)
    #expect(line.rows.first { $0.id.rawValue == "x" }?.upgrade?.proratedRefund?.micros == 0)
  }
}

@Suite struct ProrationTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let price: Int64
    let whole: Int64
    let used: Int64
    let refund: Int64
    var testDescription: String { name }
  }

  @Test(arguments: [
    // 9,990,000 × 571 / 671 = 8,501,177.35
    Case(name: "a month of 671 h", price: 9_990_000, whole: 671.hours, used: 100.hours, refund: 8_501_177),
    // 9,990,000 × 744 / 745 = 9,976,590.60
    Case(name: "a month of 745 h", price: 9_990_000, whole: 745.hours, used: 1.hours, refund: 9_976_591),
    // 59,990,000 × 8,000 / 8,784 = 54,635,701.28
    Case(name: "a leap year", price: 59_990_000, whole: 8784.hours, used: 784.hours, refund: 54_635_701),
    Case(
      name: "a millisecond left of a year", price: 59_990_000, whole: 365.days, used: 365.days - 1, refund: 0),
    Case(name: "half a micro goes down to 0", price: 1, whole: 2, used: 1, refund: 0),
    Case(name: "one and a half goes up to 2", price: 3, whole: 2, used: 1, refund: 2),
    Case(name: "two and a half goes down to 2", price: 5, whole: 2, used: 1, refund: 2),
    Case(name: "at the purchase", price: 7, whole: 10, used: 0, refund: 7),
    Case(name: "before the purchase", price: 7, whole: 10, used: -5, refund: 7),
    Case(name: "at the expiry", price: 7, whole: 10, used: 10, refund: 0),
    Case(name: "after the expiry", price: 7, whole: 10, used: 11, refund: 0),
    Case(name: "a period without length", price: 7, whole: 0, used: 0, refund: 0),
    Case(name: "a period that ends before it starts", price: 7, whole: -10, used: 0, refund: 0),
    Case(name: "free", price: 0, whole: 10, used: 3, refund: 0),
    Case(name: "the greatest price there is", price: .max, whole: 365.days, used: 0, refund: .max),
  ])
  func refunds(_ test: Case) {
    let proration = Proration(
      price: Money(micros: test.price, currency: CurrencyCode("USD")), purchase: day(0),
      expires: day(0) + test.whole, upgrade: day(0) + test.used)
    #expect(proration.refundMicros == test.refund)
  }
}
