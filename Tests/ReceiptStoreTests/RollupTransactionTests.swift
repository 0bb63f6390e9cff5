import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct CommitLedgerTests {
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
    #expect(try shelf.take(torn, for: receipt).refusal != nil, "the torn answer was taken")
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
