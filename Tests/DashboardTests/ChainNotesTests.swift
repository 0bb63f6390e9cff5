import Dashboard
import Subscriptions
import Testing

/// What a subscription's history says that Apple changed later about a period's end.
@Suite("Changes of a period's end") struct ChainNotesTests {
  /// Whether a period was upgraded, whose it is, and what is said of its end and of that being taken back.
  static let cases: [(Bool, String, String, String)] = [
    (false, "PURCHASED", "refunded: Apple's cancellation of", "the refund of"),
    (true, "PURCHASED", "ended by the upgrade: Apple's cancellation of", "the end by an upgrade of"),
    (false, "FAMILY_SHARED", "revoked: Apple's cancellation of", "the revocation of"),
  ]

  @Test("name what ended it", arguments: cases)
  func cancelled(_ isUpgraded: Bool, _ ownership: String, _ appeared: String, _ takenBack: String) throws {
    var chain = Sample.story
    let row = chain.lines[0].transactions.count - 1
    var before = try #require(chain.lines[0].transactions[row].endsHistory.first)
    (before.cancellationMs, before.upgraded) = (nil, false)
    var after = before
    (after.cancellationMs, after.upgraded) = (Sample.now, isUpgraded)
    chain.lines[0].transactions[row].inAppOwnershipType = ownership
    var redated = after
    redated.cancellationMs = Sample.now + Milliseconds.day
    chain.lines[0].transactions[row].endsHistory = [before, after, before, after, redated]
    let printed = text(of: [chain], at: Sample.now, width: 400)
    #expect(printed.contains(appeared), "\(printed)")
    for words in [
      "\(takenBack) 2026-11-21 09:05 was", "dated \(takenBack) 2026-11-21 09:05 anew: 2026-11-22 09:05",
    ] {
      #expect(printed.contains(words), "\(printed)")
    }
    let others = Self.cases.map(\.2).filter { $0 != appeared }
    #expect(!others.contains { printed.contains(" \($0)") }, "\(printed)")
  }
}
