import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Order, limits and interruption of the rows behind figures; `SameAnswersTests` verifies their content.
@Suite struct FigureRowTests {
  @Test func aLongListIsWatched() throws {
    let shelf = try Shelf()
    let answers = (0..<700).map { number in
      let id = "\(9_000_000 + number * 3)"
      let row = monthly(id, -7, 21) { $0.originalTransactionID = OriginalTransactionID(id) }
      return ImportedAnswer(
        answer: makeAnswer(at: day(10), row), status: 0, appUserID: nil, observedAt: day(10))
    }
    _ = try shelf.store.add(answers, at: day(10))
    for (panel, figure) in [(Panel.active, "paid"), (.overview, "sales.transactions")] {
      let question = Question(panel: panel, at: day(20), windowDays: 60, limit: 100_000)
      var heard: [Int] = []
      let rows = try shelf.store.rows(behind: question, figure: figure) { read, all in
        #expect(all == 700)
        heard.append(read)
        return true
      }
      #expect(rows?.rows.count == 700 && heard == heard.sorted() && heard.last == 700 && heard.count > 2)
      var calls = 0
      let none = try shelf.store.rows(behind: question, figure: figure) { _, _ in
        calls += 1
        return false
      }
      #expect(none == nil && calls == 1)
    }
  }

  /// The earlier an offer of these began, the later is the purchase that followed it.
  @Test(
    arguments: [1, 3, 20, 1000], ["offers.trial.brought", "offers.trial.balance", "offers.trial.started"])
  func offerRowsBeginWithTheLatestPurchase(_ limit: Int, _ figure: String) throws {
    let shelf = try Shelf()
    for number in 0..<40 {
      let id = "\(9_000_000 + number * 3)"
      let rows = [(number, number + 1), (100 - number, 130 - number)].enumerated().map { place, days in
        monthly("\(id)\(place)", days.0, days.1) {
          ($0.originalTransactionID, $0.isTrialPeriod) = (OriginalTransactionID(id), place == 0)
        }
      }
      let answer = makeAnswer(at: day(140), rows[0], rows[1])
      _ = try shelf.store.add(
        [ImportedAnswer(answer: answer, status: 0, appUserID: nil, observedAt: day(140))], at: day(140))
    }
    for end in [140, 75] {
      let question = Question(panel: .offers, at: day(end), windowDays: 150, limit: limit)
      let rows = try shelf.store.rows(behind: question, figure: figure)
      #expect(rows == (try shelf.store.evidenceLedger().rows(question, figure: figure)), "\(end)")
      #expect(!rows.rows.isEmpty)
    }
  }

  /// A row is dated by its expiry, even if a grace period was announced.
  @Test(arguments: [1, 2, 3, 1000])
  func dueRowsBeginWithTheNextRenewal(_ limit: Int) throws {
    let shelf = try Shelf()
    for (id, expires, grace) in [("1", 21, day(36)), ("2", 22, nil), ("3", 23, nil)]
      as [(String, Int, Instant?)]
    {
      let row = monthly(id, -7, expires) { $0.originalTransactionID = OriginalTransactionID(id) }
      let answer = makeAnswer(at: day(19), row, infos: [.make(chain: id, grace: grace)])
      let imported = ImportedAnswer(answer: answer, status: 0, appUserID: nil, observedAt: day(19))
      _ = try shelf.store.add([imported], at: day(19))
    }
    let question = {
      var question = Question(panel: .overview, at: day(20))
      question.limit = limit
      return question
    }()
    let rows = try shelf.store.rows(behind: question, figure: "due.7.lines")
    #expect(rows == (try shelf.store.evidenceLedger().rows(question, figure: "due.7.lines")))
    #expect(rows.count == 3)
    #expect(rows.rows.map(\.originalTransactionID.rawValue) == Array(["1", "2", "3"].prefix(limit)))
  }
}
