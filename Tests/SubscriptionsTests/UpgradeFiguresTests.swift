import Subscriptions
import TestSupport
import Testing

@Suite struct UpgradeFiguresTests {
  /// At day 60 with a window of 28 days: from day 32.
  private static let population: Population = .make(chains)
  private static let chains: [Chain] = [
    chain("1", upgraded(monthly("1", 30, 60)), row("yearly", "2", 45, 410)),  // half
    chain("2", upgraded(monthly("3", 30, 60), confirmed: day(50)), row("plus", "4", 50, 80)),  // a third
    chain("3", upgraded(monthly("5", 30, 60)), row("weekly", "6", 36, 43)),  // 0.8
    chain("4", upgraded(unlisted), row("yearly", "8", 45, 410)),
    chain("5", upgraded(monthly("9", 40, 70))),  // undated
    chain("6", upgraded(monthly("10", 10, 40)), row("yearly", "11", 32, 397)),  // before the window
    chain("7", shared(upgraded(monthly("12", 30, 60), confirmed: day(45)))),
    chain("8", monthly("13", 20, 50), row("weekly", "14", 50, 57), info: RenewalInfo.make(product: "weekly")),
    chain("9", monthly("15", 20, 50), row("plus", "16", 50, 80)),
    chain("10", monthly("17", 20, 50), row("yearly", "18", 50, 415)),
    chain("11", monthly("19", 40, 70), info: RenewalInfo.make(next: "weekly")),
    chain("12", monthly("20", 40, 70), info: RenewalInfo.make(next: "weekly", autoRenew: false)),
    chain("13", monthly("21", 20, 50), info: RenewalInfo.make(next: "weekly", retry: true)),
    chain("14", monthly("22", 20, 50), info: RenewalInfo.make(next: "weekly")),  // expired
  ]
  private static let unlisted = monthly("7", 40, 70) { $0.offerCodeRefName = "UNLISTED" }

  private func figures(_ products: Set<ProductID> = []) throws -> UpgradeFigures {
    let figures = try #require(Self.population.figures(.upgrades, at: day(60), products: products).upgrades)
    return figures
  }

  @Test func immediate() throws {
    let figures = try figures()
    #expect(
      [figures.immediate.upgrade, figures.immediate.crossgrade, figures.immediate.unranked] == [2, 1, 1])
    #expect(figures.confirmed == 1 && figures.estimated == 3)
    #expect(figures.proratedRefund.totals.map(\.micros) == [16_317_000])
    #expect(figures.unpriced == 1)
    #expect(figures.undated == 1)
    #expect(figures.rows.map(\.transactionId.rawValue) == ["3", "1", "7", "5"])
    #expect(figures.rows.map(\.proratedRefundMicros) == [3_330_000, 4_995_000, nil, 7_992_000])
    #expect(figures.rows.map(\.toProductId?.rawValue) == ["plus", "yearly", "yearly", "weekly"])
  }

  @Test func atRenewalAndPending() throws {
    let figures = try figures()
    #expect(
      [figures.atRenewal.downgrade, figures.atRenewal.crossgrade, figures.atRenewal.unranked] == [1, 1, 1])
    #expect(figures.pending == 2)
  }

  @Test func oneProduct() throws {
    let figures = try figures([ProductID("weekly")])
    #expect(figures.atRenewal.downgrade == 1)
    #expect(figures.immediate.upgrade == 0)
  }

  struct Change: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Of row `y`.
    let direction: ChangeDirection?
    var from: String?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Change(
      name: "at the expiry", rows: [monthly("x", 0, 30), row("weekly", "y", 30, 37)], direction: .downgrade),
    Change(
      name: "24 h ahead", rows: [monthly("x", 0, 30), row("weekly", "y", 29, 37)], direction: .downgrade),
    Change(
      name: "earlier than that",
      rows: [monthly("x", 0, 30), .make("y", product: "weekly", purchase: day(29) - 1, expires: day(37))],
      direction: nil),
    Change(
      name: "60 days after", rows: [monthly("x", 0, 30), row("weekly", "y", 90, 97)], direction: .downgrade),
    Change(
      name: "later than that",
      rows: [monthly("x", 0, 30), .make("y", product: "weekly", purchase: day(90) + 1, expires: day(97))],
      direction: nil),
    Change(name: "the same product", rows: [monthly("x", 0, 30), monthly("y", 30, 60)], direction: nil),
    Change(
      name: "the same level", rows: [monthly("x", 0, 30), row("plus", "y", 30, 60)], direction: .crossgrade),
    Change(
      name: "a higher level", rows: [monthly("x", 0, 30), row("yearly", "y", 30, 395)], direction: .unranked),
    Change(
      name: "to an unlisted product",
      rows: [
        monthly("x", 0, 30) { $0.subscriptionGroupIdentifier = SubscriptionGroupID("G") },
        row("other", "y", 30, 60) { $0.subscriptionGroupIdentifier = SubscriptionGroupID("G") },
      ], direction: .unranked),
    Change(
      name: "the successor of an upgraded row",
      rows: [monthly("w", 0, 30), upgraded(monthly("x", 30, 60)), row("yearly", "y", 31, 396)], direction: nil
    ),
    Change(
      name: "leaving out an upgraded row in between",
      rows: [
        monthly("w", 0, 10), monthly("v", 10, 29),
        upgraded(.make("x", product: "plus", purchase: day(10) + 6.hours, expires: day(40))),
        row("weekly", "y", 30, 37),
      ],
      direction: .downgrade),
    Change(
      name: "of a row that was upgraded away later",
      rows: [row("yearly", "x", -335, 30), upgraded(monthly("y", 30, 60)), row("yearly", "z", 45, 410)],
      direction: .downgrade),
  ])
  func changesAtRenewal(_ test: Change) throws {
    let line = try Chain.make(test.rows).line()
    #expect(line.rows.first { $0.id.rawValue == "y" }?.change?.direction == test.direction)
  }
}
