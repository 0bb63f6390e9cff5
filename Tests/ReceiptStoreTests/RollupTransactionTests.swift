import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Sums after one commit with several answers about a chain.
@Suite struct CommitLedgerTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// `A` and `B` differ in auto-renew.
    let answers: String
    var testDescription: String { name }
  }

  private static let row = monthly("1", 0, 31)

  private static func answer(_ letter: Character, _ place: Int) -> ImportedAnswer {
    var info = RenewalInfo()
    info.originalTransactionID = row.originalTransactionID
    info.productID = row.productID
    info.autoRenewStatus = letter == "A"
    let t = day(10, hours: Int64(place) * 10)
    return ImportedAnswer(
      answer: makeAnswer(at: t, row, infos: [info]), status: 0, appUserID: AppUserID("u"), observedAt: t)
  }

  @Test(arguments: [
    Case(name: "again and then something else", answers: "AAB"),
    Case(name: "twice again", answers: "AABB"),
    Case(name: "to and fro", answers: "ABAABBA"),
    Case(name: "again alone", answers: "AAA"),
  ])
  func aChainSeveralTimesInOneCommit(_ test: Case) throws {
    let shelf = try Shelf()
    let answers = test.answers.enumerated().map { Self.answer($1, $0) }
    for count in [1, answers.count] {
      _ = try shelf.store.add(Array(answers.prefix(count)), at: day(20))
      _ = try shelf.store.add(Array(answers.dropFirst(count)), at: day(20))
    }
    let last = day(10, hours: Int64(answers.count - 1) * 10)
    #expect(try shelf.store.report(Question(panel: .active, at: last)).trust.fresh24h == 1)
    let before = try shelf.table("sums")
    try shelf.store.rebuild()
    #expect(try shelf.table("sums") == before)
  }

  @Test func transactionsAreCountedAsTheyCome() throws {
    let (shelf, receipt) = try Shelf.withReceipt()
    func expectTheCount() throws {
      let count = try shelf.raw { try Int.fetchOne($0, sql: "SELECT count(*) FROM transactions") }
      #expect(try shelf.store.status(at: day(9)).transactions == count)
    }
    let rows = (1...3).map { monthly("\($0)", 30 * $0, 30 * $0 + 30) }
    try shelf.take(makeAnswer(at: day(1), rows[0]), for: receipt)
    try expectTheCount()
    // SQLite considers these ids equal, so the answer is refused.
    let torn = makeAnswer(at: day(2), rows[0], monthly("7\u{0}a", 0, 30), monthly("7\u{0}b", 0, 30))
    guard case .refused = try shelf.take(torn, for: receipt) else {
      Issue.record("the torn answer was taken")
      return
    }
    try expectTheCount()
    try shelf.take(makeAnswer(at: day(3), rows[0], rows[1]), for: receipt)
    let kept = ImportedAnswer(
      answer: makeAnswer(at: day(4), rows[0], rows[1], rows[2]), status: 0, observedAt: day(4))
    var other = kept
    other.answer.bundleID = BundleID("other")
    _ = try shelf.store.add([kept, other], at: day(9))
    try expectTheCount()
    _ = try shelf.store.add([kept, other], at: day(9), leavingOutRefused: true)
    try expectTheCount()
    #expect(try shelf.store.status(at: day(9)).transactions == 3)
  }
}
