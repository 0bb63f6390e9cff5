import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct OutcomeTests {
  private func receipt(_ shelf: Shelf) throws -> String { try shelf.table("receipts")[0] }

  @Test func anAnswerOfAnotherAppIsRefused() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    let before = try shelf.store.population().lines
    let foreign = makeAnswer(
      at: day(2), monthly("1", 0, 30) { $0.cancellationDate = day(1) }, bundle: "other")
    guard case .refused(let reason) = try shelf.take(foreign, for: id) else {
      Issue.record("it was taken")
      return
    }
    #expect(reason.contains("other") && reason.contains("app"))
    #expect(try shelf.store.population().lines == before)
    #expect(try receipt(shelf).contains("another app"))
    #expect(try shelf.store.count(of: .all, at: day(90)) == 0)
    #expect(try shelf.store.count(of: .receipt(id), at: day(90)) == 1)
  }

  /// A kept answer that is refused says so, and harms nothing.
  @Test func aKeptAnswerOfAnotherAppIsRefused() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    let before = try (shelf.table("receipts"), shelf.table("transactions"))
    let foreign = makeAnswer(
      at: day(2), monthly("1", 0, 30) { $0.cancellationDate = day(1) }, bundle: "other")
    let neighbour = makeAnswer(at: day(2), monthly("2", 0, 30))
    let both = [neighbour, foreign].map { ImportedAnswer(answer: $0, status: 0) }
    let summary = try shelf.store.add(both, at: day(2))
    #expect(summary.refused.map(\.index) == [1])
    #expect(try (shelf.table("receipts"), shelf.table("transactions")) == before)
    let rest = try shelf.store.add(both, at: day(2), leavingOutRefused: true)
    #expect(rest.refused.map(\.index) == [1] && rest.newTransactions == 1)
  }

  @Test func anAnswerWithoutABundleIsTaken() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    let outcome = try shelf.take(makeAnswer(at: day(2), monthly("2", 30, 60), bundle: nil), for: id)
    #expect(outcome == .changed(newTransactions: 1))
  }

  @Test func aGoneAccountKeepsItsHistoryAndIsNotAskedAbout() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30), infos: [.make()]), for: id)
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: .accountGone)], at: day(25))
    #expect(try shelf.store.count(of: .due, at: day(900)) == 0)
    #expect(try shelf.store.status(at: day(26)).dead == 1)
    let line = try #require(try shelf.store.population().lines.first)
    #expect(line.rows.count == 1 && line.renewals.count == 1)
    #expect(line.verdict(at: day(26))?.state == .active)
    #expect(line.verdict(at: day(31))?.state == .expired)
    let report = try shelf.store.chains(matching: "1", at: day(31))
    #expect(report.first?.lines.first?.why.contains("21010") == true)
    let churn = try shelf.store.report(Question(panel: .churn, at: day(31)))
    guard case .churn(let figures) = churn.data else {
      Issue.record("not the churn")
      return
    }
    #expect(figures.byIntent.last?.intent == nil && figures.byIntent.last?.paid == 1)
  }

  @Test func laterChangesNothingElse() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30), infos: [.make()]), for: id)
    let tables = ["chains", "transactions", "renewal_infos", "lines", "phases", "events"]
    let before = try tables.map { try shelf.table($0, without: []) }
    for attempt in 1...3 {
      let later = ReceiptOutcome.Result.retryLater(status: 21005, reason: "Apple is busy", nextDue: day(21))
      #expect(try shelf.store.record([ReceiptOutcome(receipt: id, result: later)], at: day(20)) == [.noted])
      #expect(try shelf.store.receipts(.due, at: day(21), after: nil, limit: 10).first?.attempts == attempt)
    }
    #expect(try tables.map { try shelf.table($0, without: []) } == before)
    #expect(try shelf.store.count(of: .due, at: day(21) - 1) == 0)
    try shelf.take(makeAnswer(at: day(22), monthly("1", 0, 30), infos: [.make()]), for: id)
    #expect(try shelf.store.receipts(.all, at: day(22), after: nil, limit: 10).first?.attempts == 0)
  }

  @Test func aRejectedReceiptIsAskedAboutByNameAlone() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30)), for: id)
    let rejected = ReceiptOutcome(receipt: id, result: .rejected(status: 21003, reason: "not authentic"))
    _ = try shelf.store.record([rejected], at: day(21))
    #expect(try shelf.store.count(of: .due, at: day(900)) == 0)
    #expect(try shelf.store.count(of: .all, at: day(900)) == 0)
    #expect(try shelf.store.count(of: .user(AppUserID("u")), at: day(900)) == 1)
    #expect(try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30)), for: id) == .unchanged)
    #expect(try shelf.store.status(at: day(21)).dead == 1, "the same answer again is not news")
    #expect(try shelf.take(makeAnswer(at: day(22), monthly("1", 0, 30)), for: id) == .unchanged)
    #expect(try shelf.store.status(at: day(22)).dead == 0, "an answer means that it lives")
    #expect(try shelf.store.count(of: .due, at: day(900)) == 1)
  }

  @Test func anUnknownReceiptIsRefused() throws {
    let shelf = try Shelf()
    let outcome = try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: ReceiptID(rawValue: 77))
    guard case .refused = outcome else {
      Issue.record("it was taken")
      return
    }
    #expect(try shelf.store.population().lines == [])
  }

  @Test func theLatestReceiptIsSentNextTime() throws {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    var answer = makeAnswer(at: day(1), monthly("1", 0, 30))
    answer.latestReceipt = ReceiptData(base64: "MIINEW")
    try shelf.take(answer, for: id)
    #expect(try shelf.store.receipts(.all, at: day(1), after: nil, limit: 9).map(\.data.base64) == ["MIINEW"])
    #expect(try shelf.store.add([someReceipt], at: day(2)) == 0, "the first form is still known")
  }

  @Test func duePages() throws {
    let shelf = try Shelf()
    for number in 0..<25 {
      _ = try shelf.store.add([ImportedReceipt(data: ReceiptData(trusted: "MII\(number)"))], at: day(1))
    }
    var (pages, last) = ([Int](), ReceiptID?.none)
    while case let page = try shelf.store.receipts(.due, at: day(1), after: last, limit: 10), !page.isEmpty {
      pages.append(page.count)
      last = page.last?.id
    }
    #expect(pages == [10, 10, 5])
    #expect(try shelf.store.count(of: .due, at: day(1) - 1) == 0)
  }

  @Test func receiptsOfOneUserTwice() throws {
    let shelf = try Shelf()
    let bare = ImportedReceipt(data: ReceiptData(trusted: "MIIB"))
    #expect(try shelf.store.add([bare, bare, someReceipt, someReceipt, bare], at: day(1)) == 1)
    #expect(try receipt(shelf).contains("app_user_id=\"u\""))
    let other = ImportedReceipt(data: ReceiptData(trusted: "MIIB"), appUserID: AppUserID("v"))
    #expect(try shelf.store.add([other], at: day(1)) == 1)
  }
}
