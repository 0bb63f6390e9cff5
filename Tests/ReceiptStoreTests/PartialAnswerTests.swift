import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct PartialAnswerTests {
  /// Chain 1 ends on day 30, and no later answer contains it.
  @Test func aRepeatedAnswerConfirmsOnlyItsOwnChains() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30), other("2", 90)), for: id)
    for t in [31, 32, 33] { try shelf.take(makeAnswer(at: day(t), other("2", 90)), for: id) }
    let states = try ["1", "2"].map {
      try shelf.store.chains(matching: $0, at: day(34)).first?.lines.first?.state
    }
    #expect(states == [.overdue, .active])
  }

  @Test func partialAnswersRemoveNothing() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let old = monthly("1", 0, 30) { $0.cancellationDate = day(20) }
    let rows = [old, monthly("2", 30, 60), monthly("3", 60, 90)]
    func full(_ t: Int) -> Answer {
      Answer(environment: .production, bundleID: BundleID("app"), requestDate: day(t), transactions: rows)
    }
    try shelf.take(full(70), for: id)
    let before = try shelf.store.evidenceLedger().lines
    let table = try shelf.table("transactions")
    for t in 71...80 {
      let answer = t % 3 == 0 ? full(t) : makeAnswer(at: day(t), rows[2])
      #expect(try shelf.take(answer, for: id, isPartial: t % 3 != 0) == .unchanged)
    }
    let after = try shelf.store.evidenceLedger().lines
    #expect(after.map(\.rows) == before.map(\.rows))
    #expect(try shelf.table("transactions") == table)
    let sightings = try shelf.table("transaction_sightings")
    #expect(sightings.count == 2 && sightings.count { $0.contains("is_partial=1") } == 1)
    #expect(try shelf.store.chains(matching: "1", at: day(81)).first?.validatedAtMs == day(80))
  }

  /// One refund is only in a full answer, the other only in partial ones.
  @Test func fullAndPartialAnswersShowTheirOwnRefunds() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(31), monthly("2", 30, 60)), for: id, isPartial: true)
    let refunded = monthly("1", 0, 30) { $0.cancellationDate = day(32) }
    try shelf.take(makeAnswer(at: day(33), refunded, monthly("2", 30, 60)), for: id)
    let gone = monthly("2", 30, 60) { $0.cancellationDate = day(34) }
    try shelf.take(makeAnswer(at: day(35), gone), for: id, isPartial: true)
    let rows = try #require(try shelf.store.evidenceLedger().lines.first?.rows)
    #expect(rows.map(\.transaction.cancellationDate) == [day(32), day(34)])
    // The full answer reverses the second refund.
    try shelf.take(makeAnswer(at: day(36), refunded, monthly("2", 30, 60)), for: id)
    let line = try #require(try shelf.store.evidenceLedger().lines.first)
    #expect(line.rows.map(\.transaction.cancellationDate) == [day(32), nil])
    #expect(line.events.contains { $0.type == .refundReversed })
  }

  @Test func anOldAnswerLeavesNothingDue() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(9), monthly("1", 0, 30)), for: id)
    try shelf.write("UPDATE receipts SET next_due_at_ms = 0, attempts = 3")
    #expect(try shelf.store.count(of: .due, at: day(5)).free == 1)
    try shelf.take(makeAnswer(at: day(5), monthly("1", 0, 30)), for: id, at: day(5))
    #expect(try shelf.store.count(of: .due, at: day(5)).free == 0)
    #expect(try shelf.claim(.all, at: day(5)).map(\.history.failures) == [0])
  }

  @Test func aContradictoryAnswerAffectsNoOtherChain() throws {
    let (shelf, bad) = try Shelf.withReceipt()
    let good = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIC")))
    // SQLite cuts texts at a NUL, so the two ids look equal.
    let torn = makeAnswer(at: day(1), monthly("7\u{0}a", 0, 30), monthly("7\u{0}b", 0, 30))
    try shelf.take(torn, for: bad)
    let again = makeAnswer(at: day(2), monthly("7\u{0}a", 0, 31), monthly("7\u{0}b", 0, 31))
    let outcomes = [(bad, again), (good, makeAnswer(at: day(2), other("8", 30)))].map {
      ReceiptOutcome(receipt: $0, result: .answered($1, status: 0))
    }
    let recorded = try shelf.store.record(outcomes, of: nil, at: day(2))
    #expect(recorded[0].refusal != nil, "the torn answer was taken: \(recorded[0])")
    #expect(recorded[1] == .changed(AnswerNews(newTransactions: 1)))
    #expect(try shelf.store.chains(matching: "8", at: day(3)).count == 1)
  }

  @Test func emptyAnswersOfTwoAppsAreTwoReceipts() throws {
    let shelf = try Shelf()
    for bundle in ["one", "two"] {
      let answer = ImportedAnswer(answer: makeAnswer(at: day(1), bundle: bundle), status: 0)
      #expect(try shelf.store.add([answer], at: day(1)).refused == [])
    }
    #expect(try shelf.store.status(at: day(1)).receipts == 2)
  }

  private func other(_ id: String, _ until: Int) -> Transaction {
    monthly(id, 0, until) { $0.originalTransactionID = OriginalTransactionID(id) }
  }
}
