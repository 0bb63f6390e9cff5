import Subscriptions
import TestSupport
import Testing

@Suite struct VerdictTests {
  @Test func nothingBeforeTheFirstPurchase() throws {
    #expect(try Chain.make([monthly("1", 0, 30)]).line().verdict(at: day(0) - 1) == nil)
  }

  /// The current row's product is in none of the renewal infos, or in several.
  @Test(arguments: ["plus", "monthly"])
  func theOrderOfRenewalInfosDecidesNothing(product: String) throws {
    let infos: [RenewalObservation] = [
      .make(at: day(40), .make(product: "monthly", autoRenew: false, retry: true)),
      .make(
        at: day(40), .make(product: "monthly", autoRenew: true, intent: .customerCancelled, retry: false)),
      .make(at: day(40), .make(product: "yearly", autoRenew: true)),
    ]
    let verdicts = try [infos, infos.reversed(), [infos[1], infos[2], infos[0]]].map {
      try Chain.make([row(product, "1", 0, 30)], infos: $0).line().verdict(at: day(41))
    }
    #expect(Set(verdicts).count == 1)
  }

  @Test func sharedRowsAreALineOfTheirOwn() throws {
    #expect(try Chain.make([shared(monthly("1", 0, 30))]).line().isFamilyShared)
    let lines = Chain.make([shared(monthly("1", 0, 30)), monthly("2", 30, 60)]).lines(catalog: .usual)
    #expect(lines.map(\.isFamilyShared) == [false, true])
    #expect(lines.map { $0.rows.map(\.id.rawValue) } == [["2"], ["1"]])
    #expect(OwnershipType(nil) == .purchased)
    #expect(OwnershipType("FRIEND").rawValue == "FRIEND")
  }

  /// METRICS §1.6: a line whose account is gone ends at its last expiry, with reason unknown.
  @Test(arguments: [
    (name: "that ran", info: RenewalInfo.make(), validated: day(20), gone: day(25)),
    (
      name: "in grace", info: .make(intent: .billingError, retry: true, grace: day(46)), validated: day(31),
      gone: day(32)
    ),
    (name: "in retry", info: .make(intent: .billingError, retry: true), validated: day(31), gone: day(32)),
  ])
  func goneAccounts(_ name: String, _ info: RenewalInfo, _ validated: Instant, _ gone: Instant) throws {
    var chain = Chain.make([monthly("1", 0, 30)], infos: [.make(at: day(1), info)], validated: validated)
    chain.goneAt = gone
    let verdict = try #require(try chain.line().verdict(at: day(33)))
    #expect(verdict.state == .expired)
    #expect(verdict.expirationIntent == nil)
    #expect(verdict.accessUntil == day(30))
    #expect(verdict.why.contains("21010"))
    #expect(
      try chain.line().verdict(at: day(30))?.state == .expired, "judged from all that is known, as of its end"
    )
    chain.validatedAt = gone + 1
    #expect(try chain.line().verdict(at: day(33))?.why.contains("21010") == false, "it came back")
  }

  @Test func aDeletedAccountKeepsEarlierVerdicts() throws {
    var chain = Chain.make(
      [monthly("1", 0, 30)], infos: [.make(at: day(31), .make(autoRenew: false, intent: .customerCancelled))],
      validated: day(31))
    chain.goneAt = day(32)
    #expect(
      try chain.line().verdict(at: day(33))?.expirationIntent == .customerCancelled, "it had ended before")
    chain = Chain.make([monthly("1", 0, 30)], validated: day(10))
    chain.goneAt = day(12)
    #expect(try chain.line().verdict(at: day(29))?.state == .active)
  }
}
