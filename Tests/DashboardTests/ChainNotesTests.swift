import Dashboard
import Subscriptions
import Testing

/// What a subscription's history says that Apple changed later about a period's end.
@Suite("Changes of a period's end") struct ChainNotesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var isUpgraded = false
    var ownership = "PURCHASED"
    let appeared: String
    let takenBack: String
  }

  static let cases = [
    Case(
      testDescription: "a refund", appeared: "refunded: Apple's cancellation of", takenBack: "the refund of"),
    Case(
      testDescription: "an upgrade, which is no refund", isUpgraded: true,
      appeared: "ended by the upgrade: Apple's cancellation of", takenBack: "the end by an upgrade of"),
    Case(
      testDescription: "a period shared with the family", ownership: "FAMILY_SHARED",
      appeared: "revoked: Apple's cancellation of", takenBack: "the revocation of"),
  ]

  @Test("name what ended it", arguments: cases)
  func cancelled(_ one: Case) throws {
    var chain = Sample.story
    let row = chain.lines[0].transactions.count - 1
    var before = try #require(chain.lines[0].transactions[row].endsHistory.first)
    (before.cancellationMs, before.upgraded) = (nil, false)
    var after = before
    (after.cancellationMs, after.upgraded) = (Sample.now, one.isUpgraded)
    chain.lines[0].transactions[row].inAppOwnershipType = one.ownership
    chain.lines[0].transactions[row].endsHistory = [before, after, before]
    let printed = text(of: [chain], at: Sample.now, width: 400)
    #expect(printed.contains(one.appeared), "\(printed)")
    #expect(printed.contains(one.takenBack), "\(printed)")
    let others = Self.cases.map(\.appeared).filter { $0 != one.appeared }
    #expect(!others.contains { printed.contains(" \($0)") }, "\(printed)")
  }
}
