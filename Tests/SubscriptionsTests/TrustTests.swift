import Subscriptions
import TestSupport
import Testing

@Suite struct TrustTests {
  private static let population = EvidenceLedger.make([
    chain("1", monthly("1", 40, 70), validated: day(60) - 1.hours), chain("2", monthly("2", 40, 70)),
    chain("3", monthly("3", 40, 70) { $0.offerCodeRefName = "UNLISTED" }),
    chain("4", monthly("4", 25, 55), validated: day(54)), chain("5", monthly("5", 10, 40)),
    chain("6", shared(monthly("6", 40, 70))), chain("7", monthly("7", 40, 70), environment: .sandbox),
    chain("8", .make("8", product: "coins", purchase: day(50), expires: nil)),
  ])

  @Test func countsReceiptsLinesAndExclusions() {
    let trust = Self.population.report(Question(panel: .overview, at: day(60))).trust
    #expect(trust.receipts == 8 && trust.lines == 5 && trust.overdue == 1)
    #expect(trust.unpricedTransactions == 1)
    #expect(trust.excludedSandbox == 1 && trust.excludedFamilyShared == 1)
    #expect(trust.fresh24h == 1)
  }

  @Test func freshMeansValidatedWithinADay() {
    let population = EvidenceLedger.make([
      chain("1", monthly("1", 40, 70), validated: day(59) + 1),
      chain("2", monthly("2", 40, 70), validated: day(59)),
      chain("3", monthly("3", 0, 30), validated: day(59)),
    ])
    #expect(population.report(Question(panel: .active, at: day(60))).trust.fresh24h == 0.5)
    #expect(EvidenceLedger.make([]).report(Question(panel: .active, at: day(60))).trust.fresh24h == nil)
  }
}
