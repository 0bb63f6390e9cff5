import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct DueDateTests {
  struct DueCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var rule: String
    /// Earliest and latest due date in milliseconds after day 10.
    var within: ClosedRange<Int64>
    var result: ReceiptOutcome.Result
    var policy = DuePolicy.standard
  }

  private static func answered(_ rows: [Transaction], _ infos: [RenewalInfo] = []) -> ReceiptOutcome.Result {
    var answer = Answer(
      environment: .production, bundleID: BundleID("app"), requestDate: day(10), transactions: rows)
    answer.renewalInfos = infos
    return .answered(answer, status: 0)
  }

  private static func tenth(less span: Int64) -> ClosedRange<Int64> { span * 9 / 10...span }

  private static let watchful: DuePolicy = {
    var policy = DuePolicy()
    policy.important.users = [AppUserID("u")]
    return policy
  }()

  @Test(arguments: [
    DueCase(
      testDescription: "an important user's last day", rule: "important", within: tenth(less: 1.hours),
      result: answered([monthly("1", 0, 10) { $0.expiresDate = day(10) + 20.hours }]), policy: watchful),
    DueCase(
      testDescription: "consent to a price", rule: "price_consent_pending", within: tenth(less: 1.days),
      result: answered([monthly("1", 0, 30)], [.make(consent: "0")])),
    DueCase(
      testDescription: "a price increase", rule: "price_consent_pending", within: tenth(less: 1.days),
      result: answered([monthly("1", 0, 30)], [.make { $0.priceIncreaseStatus = "0" }])),
    DueCase(
      testDescription: "long lapsed", rule: "long_lapsed", within: tenth(less: 30.days),
      result: answered([monthly("1", -200, -170)])),
    DueCase(
      testDescription: "nothing bought", rule: "no_lines", within: tenth(less: 30.days), result: answered([])),
    DueCase(
      testDescription: "a try that failed", rule: "failed", within: 1.hours...1.hours,
      result: .retryLater(status: 21005, reason: "busy", nextDue: day(10) + 1.hours)),
  ])
  func comesDue(_ test: DueCase) throws {
    let shelf = try Shelf(policy: test.policy)
    let id = try shelf.keep(someReceipt)
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: test.result)], of: nil, at: day(10))
    let due = try shelf.due()
    #expect(due.map(\.rule) == [test.rule])
    #expect(due.allSatisfy { test.within.contains($0.at - day(10)) }, "\(due)")
  }

  @Test func anotherPolicyPlansAnew() throws {
    let (shelf, living) = try Shelf.withReceipt()
    let failing = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIC")))
    _ = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIID")))
    for id in [living, failing] { try shelf.take(makeAnswer(at: day(10), monthly("1", 0, 30)), for: id) }
    let later = ReceiptOutcome.Result.retryLater(status: nil, reason: "no answer", nextDue: day(11))
    _ = try shelf.store.record([ReceiptOutcome(receipt: failing, result: later)], of: nil, at: day(10))
    _ = try shelf.claim(.due, at: day(11))
    let before = try shelf.due()
    #expect(before.map(\.rule) == ["active", "failed", "new"])
    var policy = DuePolicy.standard
    policy.active = 2.days
    for (policy, expected) in [(policy, day(12)), (.standard, before[0].at)] {
      let other = try ReceiptStore(path: shelf.path, policy: policy)
      _ = try other.beginSweep(.due, by: "test", at: day(11))
      let after = try shelf.due()
      #expect((expected - 5.hours...expected).contains(after[0].at), "judged when it was last asked about")
      #expect(after[0].rule == "active")
      #expect(Array(after[1...]) == Array(before[1...]))
    }
    #expect(try shelf.due() == before, "the same policy makes the same dates")
  }

  @Test func aFastClockDelaysNoReceipt() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let sweep = try shelf.store.beginSweep(.due, by: "test", at: day(365))
    _ = try shelf.store.claim(
      .due, for: sweep, started: day(365), after: nil, limit: 9, lease: 60_000, at: day(365))
    let outcome = ReceiptOutcome(
      receipt: id, result: .answered(makeAnswer(at: day(1), monthly("1", 0, 30)), status: 0))
    _ = try shelf.store.record([outcome], of: sweep, at: day(365))
    #expect(try shelf.store.count(of: .due, at: day(2)).free == 0)
    #expect(try shelf.claim(.due, at: day(2)).map(\.id) == [id])
  }
}

extension Shelf {
  struct Due: Equatable {
    var at: Instant
    var rule: String
  }

  fileprivate func due() throws -> [Due] {
    try raw { db in
      try GRDB.Row.fetchAll(
        db, sql: "SELECT next_due_at_ms, due_rule FROM receipts WHERE next_due_at_ms IS NOT NULL ORDER BY id"
      ).map { Due(at: Instant(milliseconds: $0[0]), rule: $0[1]) }
    }
  }
}
