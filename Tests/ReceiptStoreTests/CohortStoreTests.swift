import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct CohortStoreTests {
  /// Order of lines with the same instant, also if several days are clamped to the last of a month.
  @Test(arguments: [1, 2, 3, 10]) func linesOfAnInstant(_ limit: Int) throws {
    let shelf = try Shelf()
    for (id, hours) in [("1", 28 * 24 + 5), ("2", 29 * 24 + 5), ("3", 30 * 24 + 4), ("4", 30 * 24 + 5)] {
      let row = Transaction.make(id, chain: id, purchase: day(0, hours: Int64(hours)), expires: day(120))
      let answer = ImportedAnswer(answer: makeAnswer(at: day(40), row), status: 0, observedAt: day(40))
      _ = try shelf.store.add([answer], at: day(40))
    }
    var question = Question(panel: .cohorts, at: day(70))
    question.limit = limit
    let rows = try shelf.store.rows(behind: question, figure: "rows.2026-01.1")
    #expect(rows.count == 4)
    #expect(rows.rows.map(\.originalTransactionID.rawValue) == Array(["1", "2", "4", "3"].prefix(limit)))
    #expect(rows == (try shelf.store.evidenceLedger().rows(question, figure: "rows.2026-01.1")))
  }

  /// A line may turn out to be refunded from its purchase, or to start with an offer.
  @Test func aLineMayLeaveItsCohort() throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(someReceipt)
    let question = Question(panel: .cohorts, at: day(80))
    func lines(_ offers: OfferScope) throws -> [Int] {
      var question = question
      question.offers = offers
      let rows = try shelf.store.report(question).data[parts: "rows"]
      return rows.first.map { $0[parts: "retained"].map { $0["lines"] } } ?? []
    }
    try shelf.take(makeAnswer(at: day(2), monthly("1", 0, 31)), for: receipt)
    #expect(try lines(.all) == [1, 0, 0])
    try shelf.take(makeAnswer(at: day(40), monthly("1", 0, 31), monthly("2", 31, 62)), for: receipt)
    #expect(try lines(.all) == [1, 1, 1])
    let offered = monthly("1", 0, 31) { $0.isInIntroOfferPeriod = true }
    try shelf.take(makeAnswer(at: day(41), offered, monthly("2", 31, 62)), for: receipt)
    #expect(try lines(.kind(.intro)) == [1, 1, 1])
    #expect(try lines(.kind(.standard)) == [])
    let refunded = monthly("1", 0, 31) { $0.cancellationDate = day(0) }
    let other = monthly("2", 31, 62) { $0.cancellationDate = day(31) }
    try shelf.take(makeAnswer(at: day(42), refunded, other), for: receipt)
    #expect(try lines(.all) == [])
    #expect(
      try shelf.raw { try Int.fetchOne($0, sql: "SELECT count(*) FROM sums WHERE series >= 1000") } == 0)
    #expect(try shelf.raw { try Int.fetchOne($0, sql: "SELECT count(first_paid_ms) FROM lines") } == 0)
  }
}
