import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// METRICS §5, Intro eligibility: per user and group.
@Suite struct IntroOfferTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// Chains as app user, transaction, group, and change of the row.
    let chains: [(user: String?, id: String, group: String?, change: @Sendable (inout Transaction) -> Void)]
    /// Transaction that used the offer for the first chain; `nil` if its user is eligible.
    let usedBy: String?
    var testDescription: String { name }
  }

  private static func plain(_: inout Transaction) {}
  private static func trial(_ row: inout Transaction) { row.isTrialPeriod = true }
  private static func intro(_ row: inout Transaction) { row.isInIntroOfferPeriod = true }
  private static func code(_ row: inout Transaction) { row.offerCodeRefName = "FRIEND" }
  private static func shared(_ row: inout Transaction) {
    row.isTrialPeriod = true
    row.inAppOwnershipType = .familyShared
  }

  @Test(arguments: [
    Case(name: "nothing used it", chains: [("u", "1", "G", plain)], usedBy: nil),
    Case(name: "a trial of its own", chains: [("u", "1", "G", trial)], usedBy: "1"),
    Case(name: "an introductory price", chains: [("u", "1", "G", intro)], usedBy: "1"),
    Case(name: "an offer code does not", chains: [("u", "1", "G", code)], usedBy: nil),
    Case(
      name: "a family member's trial does not", chains: [("u", "1", "G", plain), ("u", "2", "G", shared)],
      usedBy: nil),
    Case(
      name: "the same user's other chain", chains: [("u", "1", "G", plain), ("u", "2", "G", trial)],
      usedBy: "2"),
    Case(
      name: "the earliest of them", chains: [("u", "2", "G", trial), ("u", "1", "G", intro)], usedBy: "1"),
    Case(name: "another group", chains: [("u", "1", "G", plain), ("u", "2", "H", trial)], usedBy: nil),
    Case(name: "another user", chains: [("u", "1", "G", plain), ("v", "2", "G", trial)], usedBy: nil),
    Case(name: "no user at all", chains: [(nil, "1", "G", plain), (nil, "2", "G", trial)], usedBy: nil),
    Case(name: "no group at all", chains: [("u", "1", nil, plain), ("u", "2", nil, trial)], usedBy: nil),
  ])
  func eligibility(_ test: Case) throws {
    let shelf = try Shelf(catalog: [])
    for (index, chain) in test.chains.enumerated() {
      let receipt = ImportedReceipt(
        data: ReceiptData(trusted: "MIIB\(index)"), appUserID: chain.user.map(AppUserID.init))
      var row = Transaction.make(
        chain.id, chain: chain.id, product: "p\(chain.id)", purchase: day(Int(chain.id) ?? 0),
        expires: day(40))
      row.subscriptionGroupIdentifier = chain.group.map(SubscriptionGroupID.init)
      chain.change(&row)
      try shelf.take(makeAnswer(at: day(5), row), for: try shelf.keep(receipt))
    }
    let first = try #require(test.chains.first)
    let report = try #require(try shelf.store.chains(matching: first.id, at: day(10)).first)
    let line = try #require(report.lines.first)
    #expect(line.introOfferUsedBy?.rawValue == test.usedBy)
    #expect(line.introOfferEligible == (test.usedBy == nil))
  }
}
