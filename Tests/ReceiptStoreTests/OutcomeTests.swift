import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct OutcomeTests {
  private func receipt(_ shelf: Shelf) throws -> String { try shelf.table("receipts")[0] }

  @Test func anAnswerOfAnotherAppIsRefused() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    let before = try shelf.store.evidenceLedger().lines
    let foreign = makeAnswer(
      at: day(2), monthly("1", 0, 30) { $0.cancellationDate = day(1) }, bundle: "other")
    let reason = try #require(try shelf.take(foreign, for: id).refusal)
    #expect(reason.contains("other") && reason.contains("app"))
    #expect(try shelf.store.evidenceLedger().lines == before)
    #expect(try receipt(shelf).contains("another app"))
    #expect(try shelf.store.count(of: .all, at: day(90)).free == 1, "it is asked about again")
    #expect(try shelf.store.count(of: .receipt(id), at: day(90)).free == 1)
  }

  @Test func anAnswerWithoutABundleIsTaken() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    let outcome = try shelf.take(makeAnswer(at: day(2), monthly("2", 30, 60), bundle: nil), for: id)
    #expect(outcome == .changed(AnswerNews(newTransactions: 1, renewals: 1)))
  }

  @Test func aDeletedAccountKeepsItsHistoryAndIsNotQueried() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30), infos: [.make()]), for: id)
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: .accountGone)], of: nil, at: day(25))
    #expect(try shelf.store.count(of: .due, at: day(900)).free == 0)
    #expect(try shelf.store.status(at: day(26)).dead == 1)
    let line = try #require(try shelf.store.evidenceLedger().lines.first)
    #expect(line.rows.count == 1 && line.renewals.count == 1)
    #expect(line.verdict(at: day(26))?.state == .active)
    #expect(line.verdict(at: day(31))?.state == .expired)
    let report = try shelf.store.chains(matching: "1", at: day(31))
    #expect(report.first?.lines.first?.why.contains("21010") == true)
    let churn = try shelf.store.report(Question(panel: .churn, at: day(31)))
    let unknown = try #require(churn.data[parts: "by_intent"].last)
    #expect(unknown[text: "intent"] == nil && unknown["paid"] == 1)
  }

  @Test func aRejectedReceiptIsQueriedOnlyByName() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30)), for: id)
    let rejected = ReceiptOutcome(receipt: id, result: .rejected(status: 21003, reason: "not authentic"))
    _ = try shelf.store.record([rejected], of: nil, at: day(21))
    #expect(try shelf.store.count(of: .due, at: day(900)).free == 0)
    #expect(try shelf.store.count(of: .all, at: day(900)).free == 0)
    #expect(try shelf.store.count(of: .user(AppUserID("u")), at: day(900)).free == 1)
    #expect(try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30)), for: id) == .unchanged)
    #expect(try shelf.store.status(at: day(21)).dead == 1, "the same answer again is not news")
    #expect(try shelf.take(makeAnswer(at: day(22), monthly("1", 0, 30)), for: id) == .unchanged)
    #expect(try shelf.store.status(at: day(22)).dead == 0, "an answer means that it lives")
    #expect(try shelf.store.count(of: .due, at: day(900)).free == 1)
  }

  @Test func theDeadAreRevived() throws {
    let shelf = try Shelf()
    let ids = try ["MIIB", "MIIC"].map { try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: $0))) }
    let rejected = ids.map {
      ReceiptOutcome(receipt: $0, result: .rejected(status: 21003, reason: "not authentic"))
    }
    _ = try shelf.store.record(rejected, of: nil, at: day(1))
    #expect(try shelf.table("receipts").allSatisfy { $0.contains("dead_at_ms=\(day(1).rawValue)") })
    #expect(try shelf.store.count(of: .dead, at: day(2)).free == 2)
    #expect(try shelf.claim(.dead, at: day(2)).map(\.id) == ids)
    let later = ReceiptOutcome.Result.retryLater(status: 21005, reason: "busy", nextDue: day(3))
    let answered = ReceiptOutcome.Result.answered(makeAnswer(at: day(2), monthly("1", 0, 30)), status: 0)
    let tried = zip(ids, [later, answered]).map { ReceiptOutcome(receipt: $0, result: $1) }
    _ = try shelf.store.record(tried, of: nil, at: day(2))
    #expect(try shelf.claim(.dead, at: day(900)).map(\.id) == [ids[0]])
    #expect(try shelf.store.queue(at: day(900)).dead.map(\.reason) == ["not authentic"])
    #expect(try shelf.store.count(of: .due, at: day(900)).free == 1)
  }

  @Test func failuresAreRemembered() throws {
    let (shelf, id) = try Shelf.withReceipt()
    for (number, reason) in ["busy", "no answer"].enumerated() {
      let result = ReceiptOutcome.Result.retryLater(status: nil, reason: reason, nextDue: day(9))
      _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: result)], of: nil, at: day(1 + number))
    }
    let failing = try #require(try shelf.claim(.all, at: day(3)).first)
    #expect(
      failing.history.failures == 2 && failing.history.since == day(1)
        && failing.history.lastReason == "no answer")
    #expect(failing.lastFullAnswer == nil)
    let partial = makeAnswer(at: day(4), monthly("1", 0, 30))
    try shelf.take(partial, for: id, isPartial: true)
    let fine = try #require(try shelf.claim(.all, at: day(5)).first)
    #expect(fine.history.failures == 0 && fine.history.since == nil && fine.history.lastReason == nil)
    #expect(fine.lastFullAnswer == nil, "an answer in part is none in full")
    try shelf.take(makeAnswer(at: day(6), monthly("1", 0, 30)), for: id)
    #expect(try shelf.claim(.all, at: day(7)).first?.lastFullAnswer == day(6))
  }

  @Test func anAnswerForAnUnknownReceiptIsNotRecorded() throws {
    let shelf = try Shelf()
    let outcome = try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: ReceiptID(rawValue: 77))
    #expect(outcome == .lost)
    #expect(try shelf.store.evidenceLedger().lines == [])
  }

  @Test func theLatestReceiptIsSentNextTime() throws {
    let (shelf, id) = try Shelf.withReceipt()
    var answer = makeAnswer(at: day(1), monthly("1", 0, 30))
    answer.latestReceipt = ReceiptData(base64: "MIINEWER")
    try shelf.take(answer, for: id)
    var due = try #require(try shelf.claim(.all, at: day(1)).first)
    #expect((due.data, due.latest?.base64) == (someReceipt.data, "MIINEWER"))
    #expect(try shelf.store.add([someReceipt], at: day(2)) == ReceiptImportSummary())
    #expect(try shelf.claim(.all, at: day(2)).first?.latest?.base64 == "MIINEWER", "nothing was to be mended")
    let failed = ReceiptOutcome.Result.retryLater(status: nil, reason: "HTTP 500", nextDue: day(3))
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: failed)], of: nil, at: day(2))
    due = try #require(try shelf.claim(.all, at: day(3)).first)
    #expect(due.data == someReceipt.data && due.latest == nil, "after a failure the imported one is sent")
    let refused = ReceiptOutcome(receipt: id, result: failed, isLatestRefused: true)
    _ = try shelf.store.record([refused], of: nil, at: day(4))
    #expect(try shelf.table("latest_receipts").isEmpty)
  }

  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    let sql: String
  }

  @Test(arguments: [
    Damage(testDescription: "other contents", sql: "UPDATE receipt_contents SET receipt_data = 'MIIOTHER'"),
    Damage(
      testDescription: "no contents",
      sql: "DELETE FROM receipt_contents; UPDATE receipts SET has_contents = 0, next_due_at_ms = NULL"),
  ])
  func importingAReceiptAgainRepairsIt(_ damage: Damage) throws {
    let (shelf, id) = try Shelf.withReceipt()
    var answer = makeAnswer(at: day(1), monthly("1", 0, 30))
    answer.latestReceipt = ReceiptData(base64: "MIINEWER")
    try shelf.take(answer, for: id)
    let dead = ReceiptOutcome.Result.rejected(status: 21003, reason: "21003")
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: dead)], of: nil, at: day(2))
    try shelf.write(damage.sql)
    #expect(try shelf.store.add([someReceipt], at: day(3)) == ReceiptImportSummary(new: 0, mended: 1))
    let due = try #require(try shelf.claim(.due, at: day(3)).first)
    #expect(due.id == id && due.data == someReceipt.data && due.latest == nil && due.history.failures == 0)
    #expect(try shelf.store.status(at: day(3)).dead == 0)
  }

  /// The app of a receipt can be corrected until an answer confirms it.
  @Test func importingAReceiptForAnotherAppCorrectsIt() throws {
    let shelf = try Shelf()
    func receipt(_ app: String) -> ImportedReceipt {
      var receipt = someReceipt
      receipt.bundleID = BundleID(app)
      return receipt
    }
    let id = try shelf.keep(receipt("com.example.typo"))
    let refused = ReceiptOutcome.Result.rejected(status: 0, reason: "the answer is for com.example.app")
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: refused)], of: nil, at: day(1))
    #expect(try shelf.claim(.due, at: day(2)).isEmpty)
    #expect(try shelf.store.add([receipt("com.example.app")], at: day(2)) == ReceiptImportSummary(moved: 1))
    let due = try #require(try shelf.claim(.due, at: day(2)).first)
    #expect(due.bundleID == BundleID("com.example.app") && due.history.failures == 0)
    #expect(try shelf.store.status(at: day(2)).dead == 0)
    var answer = makeAnswer(at: day(2), monthly("1", 0, 30))
    answer.bundleID = BundleID("com.example.app")
    try shelf.take(answer, for: id)
    #expect(try shelf.store.add([receipt("com.example.other")], at: day(3)) == ReceiptImportSummary())
  }

  @Test func answersThatAreImportedNeverReplaceAnImportedReceipt() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    var answer = makeAnswer(at: day(2), monthly("1", 0, 30), monthly("2", 30, 60))
    answer.latestReceipt = ReceiptData(base64: "MIINEIGHBOUR")
    let imported = ImportedAnswer(answer: answer, status: 0, appUserID: AppUserID("u"), observedAt: day(2))
    _ = try shelf.store.add([imported], at: day(3))
    let due = try #require(try shelf.claim(.all, at: day(3)).first)
    #expect((due.id, due.data, due.latest) == (id, someReceipt.data, nil))
  }

  @Test func receiptsOfOneUserTwice() throws {
    let shelf = try Shelf()
    let bare = ImportedReceipt(data: ReceiptData(trusted: "MIIB"))
    #expect(try shelf.store.add([bare, bare, someReceipt, someReceipt, bare], at: day(1)).new == 1)
    #expect(try receipt(shelf).contains("app_user_id=\"u\""))
    let other = ImportedReceipt(data: ReceiptData(trusted: "MIIB"), appUserID: AppUserID("v"))
    #expect(try shelf.store.add([other], at: day(1)).new == 1)
    try shelf.write("UPDATE receipt_contents SET receipt_data = 'MIIC'")
    #expect(
      try shelf.store.add([bare, other], at: day(2)) == ReceiptImportSummary(new: 0, mended: 2),
      "each user's, once")
  }
}
