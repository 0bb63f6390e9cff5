import Subscriptions
import TestSupport
import Testing

@Suite struct RefundFiguresTests {
  /// At day 60 with a window of 28 days: from day 32.
  private static let population: Population = .make(chains)
  private static let chains: [Chain] = [
    chain("1", refunded(monthly("1", 40, 70), at: day(45), reason: "1")),
    chain("2", refunded(row("yearly", "2", 40, 405), at: day(60), reason: "0")),
    chain("3", refunded(monthly("3", 0, 30), at: day(33), reason: nil)),  // after its expiry
    chain("4", refunded(monthly("4", 20, 50), at: day(32))),  // at the window's start: outside
    chain("5", refunded(monthly("5", 50, 80), at: day(60) + 1)),  // after the as-of instant
    chain("6", refunded(trial("6", 40, 47), at: day(41), reason: "0")),
    chain("7", refunded(unlisted, at: day(41), reason: "9")),
    chain("8", upgraded(monthly("8", 40, 70), confirmed: day(45)), row("yearly", "9", 45, 410)),
    chain("10", shared(refunded(monthly("10", 40, 70), at: day(45)))),
    chain("11", refunded(monthly("11", 40, 70), at: day(45)), environment: .sandbox),
    chain("12", refunded(coins, at: day(45))),
    chain("13", shared(refunded(coins, at: day(45)))),
    chain("14", monthly("14", 40, 70)),
  ]
  private static let unlisted = monthly("7", 40, 70) { $0.offerCodeRefName = "UNLISTED" }
  private static let coins = Transaction.make("12", product: "coins", purchase: day(40), expires: nil)

  @Test func refunds() throws {
    let figures = try #require(Self.population.figures(.refunds, at: day(60)).refunds)
    #expect(figures.count == 5)  // 1 2 3 6 7
    #expect([figures.byReason.appIssue, figures.byReason.other, figures.byReason.unknown] == [1, 2, 2])
    #expect(figures.amount.totals.map(\.micros) == [79_970_000])
    #expect(figures.unpriced == 1)
    #expect(figures.oneTime == 1)
    #expect(figures.byProduct.map(\.productId.rawValue) == ["monthly", "yearly"])
    #expect(figures.byProduct.map(\.count) == [4, 1])
  }

  /// Bought in the window and paid: 1 2 5 7 8 9 14; refunded by day 60: 1 2 7.
  @Test func cohort() throws {
    let figures = try #require(Self.population.figures(.refunds, at: day(60)).refunds)
    #expect(figures.cohort.paidTransactions == 7)
    #expect(figures.cohort.refunded == 3)
    #expect(figures.cohort.rate == 3.0 / 7)
    let none = try #require(Population.make([]).figures(.refunds, at: day(60)).refunds)
    #expect(none.cohort.rate == nil)
    #expect(none.amount.isEmpty)
  }

  @Test func oneProduct() throws {
    let report = Self.population.figures(.refunds, at: day(60), products: [ProductID("coins")])
    let figures = try #require(report.refunds)
    #expect(figures.count == 0 && figures.oneTime == 1 && figures.cohort.paidTransactions == 0)
  }
}
