import Subscriptions
import TestSupport
import Testing

@Suite struct UpgradeTests {

  private static let x = upgraded(monthly("x", 0, 30))

  /// 9.99 for 30 days, calculated by hand.
  @Test(
    arguments: [
      ("exactly 24 h ahead", [x, row("yearly", "y", -1, 364)], day(0), 9_990_000),
      (
        "ahead must overlap",
        [x, .make("a", product: "weekly", purchase: day(-1), expires: day(0)), row("yearly", "b", 15, 380)],
        day(15), 4_995_000
      ),
      (
        "confirmed after the expiry is clamped", [upgraded(monthly("x", 0, 30), confirmed: day(300))],
        day(30), 0
      ),
      ("a trial gives nothing back", [upgraded(trial("x", 0, 30)), row("yearly", "y", 12, 377)], day(12), 0),
    ] as [(String, [Transaction], Instant, Int64)])
  func upgrades(_ name: String, _ rows: [Transaction], _ at: Instant, _ refund: Int64) throws {
    let line = try Chain.make(rows).line()
    let row = try #require(line.rows.first { $0.id.rawValue == "x" })
    let upgrade = try #require(row.upgrade)
    #expect(upgrade.instant == at)
    #expect(upgrade.proratedRefund?.single == refund)
    #expect(!row.isRefund && row.refundedAt == nil)
    #expect(row.effectiveEnd == at)
  }

  @Test func aTrialWithAPriceOfItsOwnStillGivesNothing() throws {
    let catalog = Catalog([.make("monthly", 990_000, offer: .trial), .make("monthly", 9_990_000)])
    let line = try Chain.make([upgraded(trial("x", 0, 30)), monthly("y", 12, 42)]).line(catalog: catalog)
    #expect(line.rows.first { $0.id.rawValue == "x" }?.upgrade?.proratedRefund?.micros == 0)
  }
}

@Suite struct ProrationTests {

  @Test(
    arguments: [
      // 9,990,000 × 571 / 671 = 8,501,177.35
      ("a month of 671 h", 9_990_000, 671.hours, 100.hours, 8_501_177),
      // 9,990,000 × 744 / 745 = 9,976,590.60
      ("a month of 745 h", 9_990_000, 745.hours, 1.hours, 9_976_591),
      // 59,990,000 × 8,000 / 8,784 = 54,635,701.28
      ("a leap year", 59_990_000, 8784.hours, 784.hours, 54_635_701),
      ("a millisecond left of a year", 59_990_000, 365.days, 365.days - 1, 0),
      ("half a micro goes down to 0", 1, 2, 1, 0),
      ("one and a half goes up to 2", 3, 2, 1, 2),
      ("two and a half goes down to 2", 5, 2, 1, 2),
      ("at the purchase", 7, 10, 0, 7),
      ("before the purchase", 7, 10, -5, 7),
      ("at the expiry", 7, 10, 10, 0),
      ("after the expiry", 7, 10, 11, 0),
      ("a period without length", 7, 0, 0, 0),
      ("a period that ends before it starts", 7, -10, 0, 0),
      ("free", 0, 10, 3, 0),
      ("the greatest price there is", .max, 365.days, 0, .max),
    ] as [(String, Int64, Int64, Int64, Int64)])
  func refunds(_ name: String, _ price: Int64, _ whole: Int64, _ used: Int64, _ refund: Int64) {
    let proration = Proration(
      price: Money(micros: price, currency: CurrencyCode("USD")), purchase: day(0),
      expires: day(0) + whole, upgrade: day(0) + used)
    #expect(proration.refundMicros == refund)
  }
}
