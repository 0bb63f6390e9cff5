import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Every figure opens into the rows that it is made of. `SameAnswersTests` holds that they are the right ones.
@Suite struct FigureRowTests {
  /// What is said of all rows is what they add up to, whichever of them are listed.
  @Test(arguments: seeds(60, sanitized: 5))
  func totalsAreThoseOfAllRows(_ seed: UInt64) throws {
    let lived = try LivedWorld(seed)
    var random = Seeded(seed &+ 79)
    for panel in Panel.allCases where panel != .events {
      var question = Self.question(panel, at: lived.last, &random)
      let rows = try lived.store.rows(behind: question).rows
      question.limit = 1
      for figure in Set(rows.flatMap(\.figures)).sorted() {
        let behind = rows.filter { $0.figures.contains(figure) }
        let few = try lived.store.rows(behind: question, figure: figure)
        #expect(few.rows.count == 1 && few.count == behind.count, "\(figure) \(question)")
        // No sum is kept of the known prices of these.
        if panel == .offers, figure.hasSuffix(".unpriced") {
          #expect((few.amounts == nil) == (few.count > 1), "\(figure) \(question)")
          continue
        }
        #expect(few.amounts == Amounts(behind.compactMap(\.amount)), "\(figure) \(question)")
        #expect(few.proceeds == Amounts(behind.compactMap(\.proceeds)), "\(figure) \(question)")
      }
    }
  }

  /// Whoever waits for a long list hears how far it is, and can let go of it.
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

  /// A line is told with the end of its access, which is later than its expiry where a grace was told ahead.
  @Test(arguments: [1, 2, 3, 1000])
  func theNewestOfWhatComesDue(_ limit: Int) throws {
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
    #expect(rows == (try shelf.store.population().rows(question, figure: "due.7.lines")))
    #expect(rows.count == 3)
    #expect(rows.rows.map(\.originalTransactionID.rawValue) == Array(["1", "3", "2"].prefix(limit)))
  }

  private static func question(_ panel: Panel, at last: Instant, _ random: inout Seeded) -> Question {
    var question = Question(
      panel: panel, at: random.pick(last, last + 30.days, day(70)), windowDays: random.pick(28, 365),
      environment: random.pick(.production, .sandbox, .all),
      products: random.pick([], [], ["monthly"]).reduce(into: []) { $0.insert(ProductID($1)) }, limit: 100_000
    )
    question.smallBusinessProgram = random.pick(
      .none,
      SmallBusinessProgram([BundleID("app"): [.init(from: day(-20), until: day(60)), .init(from: day(90))]]),
      SmallBusinessProgram([BundleID("another"): [.init()]]))
    return question
  }
}
