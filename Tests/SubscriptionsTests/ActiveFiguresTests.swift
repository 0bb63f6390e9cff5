import Subscriptions
import TestSupport
import Testing

@Suite struct ActiveFiguresTests {
  private static let failing = RenewalInfo.make(intent: .billingError, retry: true)
  private static let graced = RenewalInfo.make(intent: .billingError, retry: true, grace: day(70))

  /// At day 60: six active, two in grace, one trial, one overdue, two in retry, one expired, and some outside.
  private static let population: Population = .make(chains)
  private static let chains: [Chain] = [
    chain("1", monthly("1", 40, 70), info: RenewalInfo.make(), seen: day(41), validated: day(60) - 1.hours),
    chain("2", monthly("2", 40, 70), info: RenewalInfo.make(autoRenew: false), seen: day(41)),
    chain("3", monthly("3", 40, 70)),
    chain(
      "4", monthly("4", 40, 70) { $0.isInIntroOfferPeriod = true }, info: RenewalInfo.make(), seen: day(41)),
    chain(
      "5", monthly("5", 40, 70) { $0.promotionalOfferID = "SPRING" }, info: RenewalInfo.make(), seen: day(41)),
    chain(
      "6", monthly("6", 40, 70) { $0.offerCodeRefName = "UNLISTED" }, info: RenewalInfo.make(), seen: day(41)),
    chain("7", row("yearly", "7", -310, 55), info: graced, seen: day(56), users: ["a"]),
    chain("8", monthly("8", 25, 55), info: graced, seen: day(56), users: ["a"]),
    chain("9", trial("9", 55, 62)),
    chain("10", monthly("10", 25, 55), validated: day(54)),
    chain(
      "11", monthly("11", 25, 55), info: failing, seen: day(56),
      users: ["a", "b"]),
    chain("12", row("yearly", "12", -315, 50), info: failing, seen: day(56)),
    chain("13", monthly("13", 10, 40)),
    chain("14", shared(monthly("14", 40, 70))),
    chain("15", monthly("15", 40, 70), environment: .sandbox),
    chain("16", monthly("16", 61, 91)),
    chain("17", .make("17", product: "coins", purchase: day(50), expires: nil)),
  ]

  @Test func active() throws {
    let figures = try #require(Self.population.figures(.active, at: day(60)).active)
    #expect(figures.paid == 8)
    #expect(figures.trial == 1)
    #expect(
      [figures.byKind.standard, figures.byKind.intro, figures.byKind.promo, figures.byKind.code] == [
        3, 1, 1, 1,
      ])
    #expect([figures.renewing, figures.autoRenewOff, figures.autoRenewUnknown] == [4, 1, 1])
    #expect(figures.grace == 2)
    #expect(figures.overdue == 1)
    // 4 × 9.99 + 1.99 + 4.99 + 59.99 / 12; the unlisted code adds nothing.
    #expect(figures.mrr.totals.map(\.micros) == [51_939_167])
    #expect(figures.byProduct.map(\.productId.rawValue) == ["monthly", "yearly"])
    #expect(figures.byProduct.map(\.paid) == [7, 1])
    #expect(figures.byProduct.map(\.grace) == [1, 1])
    #expect(figures.byProduct.map(\.trial) == [1, 0])
  }

  @Test func trialsWithAutoRenewOff() throws {
    let population = Population.make([
      chain("1", trial("1", 55, 62), info: RenewalInfo.make(autoRenew: false), seen: day(56)),
      chain("2", trial("2", 55, 62), info: RenewalInfo.make(), seen: day(56)),
      chain("3", trial("3", 55, 62)),
      chain("4", monthly("4", 40, 70), info: .make(autoRenew: false), seen: day(41)),
    ])
    let figures = try #require(population.figures(.active, at: day(60)).active)
    #expect([figures.trial, figures.trialAutoRenewOff] == [3, 1])
    let rows = population.rows(Question(panel: .active, at: day(60)), figure: "trial_auto_renew_off").rows
    #expect(rows.map(\.transactionID) == [TransactionID("1")])
  }

  @Test func theScopeChangesWhatIsCounted() throws {
    let sandbox = try #require(Self.population.figures(.active, at: day(60), environment: .sandbox).active)
    let all = try #require(Self.population.figures(.active, at: day(60), environment: .all).active)
    let yearly = try #require(
      Self.population.figures(.active, at: day(60), products: [ProductID("yearly")]).active)
    #expect(sandbox.paid == 1)
    #expect(all.paid == 9)
    #expect(yearly.paid == 1 && yearly.overdue == 0 && yearly.trial == 0)
  }

  @Test func billingRetry() throws {
    let figures = try #require(Self.population.figures(.billingRetry, at: day(60)).billingRetry)
    #expect(figures.lines == 2)
    #expect(figures.users == 3, "a, b and the chain without a user")
    #expect(figures.grace.lines == 2)
    #expect(figures.grace.users == 1)
    #expect(figures.atRiskMrr.billingRetry.totals.map(\.micros) == [9_990_000 + 4_999_167] as [Int64])
    #expect(figures.atRiskMrr.grace.totals.map(\.micros) == [9_990_000 + 4_999_167] as [Int64])
    #expect(figures.byProduct.map(\.lines) == [1, 1])
    #expect(figures.rows.map(\.originalTransactionId.rawValue) == ["11", "12"])
    #expect(figures.rows.map(\.appUserId) == [AppUserID("a"), nil])
    #expect(figures.rows.map(\.daysInRetry) == [5, 10])
    #expect(figures.rows.map(\.retryEndsAtMs) == [day(115), day(110)])
  }

  @Test func trust() throws {
    let trust = Self.population.report(Question(panel: .overview, at: day(60))).trust
    #expect(trust.receipts == 17)
    #expect(trust.lines == 13)
    #expect(trust.overdue == 1)
    #expect(trust.unpricedTransactions == 1)
    #expect(trust.excludedSandbox == 1)
    #expect(trust.excludedFamilyShared == 1)
    #expect(trust.fresh24h == 1)
    let later = Population.make([
      chain("1", monthly("1", 40, 70), validated: day(59) + 1),
      chain("2", monthly("2", 40, 70), validated: day(59)),
      chain("3", monthly("3", 0, 30), validated: day(59)),
    ])
    #expect(later.report(Question(panel: .active, at: day(60))).trust.fresh24h == 0.5)
    #expect(Population.make([]).report(Question(panel: .active, at: day(60))).trust.fresh24h == nil)
  }

  @Test func overviewRepeatsTheOthers() throws {
    let overview = try #require(Self.population.figures(.overview, at: day(60)).overview)
    #expect(overview.activePaid == 8)
    #expect(overview.billingRetry == 2)
    #expect(overview.grace == 2)
    #expect(overview.overdue == 1)
    #expect(overview.trial == 1)
  }

  @Test func currenciesStandApart() throws {
    let catalog = Catalog([.make("monthly", 1_000_000), .make("weekly", 1_000_000, currency: "EUR")])
    let population = Population.make(
      [chain("1", monthly("1", 0, 30)), chain("2", row("weekly", "2", 0, 30))], catalog: catalog)
    let figures = try #require(population.figures(.active, at: day(1)).active)
    #expect(figures.mrr.totals.map(\.currency.rawValue) == ["EUR", "USD"])
  }
}
