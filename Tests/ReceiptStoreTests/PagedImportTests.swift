import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct PagedImportTests {
  private static let answers = (1...40).map {
    ImportedAnswer(answer: makeAnswer(at: day(2), monthly("\($0)", 0, 30)), status: 0)
  }

  private func take(
    _ answers: [ImportedAnswer], by size: Int, into shelf: Shelf, last: ImportPage<ImportedAnswer> = .end,
    leavingOutRefused: Bool = false, indexing: (Int, Int) -> Bool = { _, _ in true }
  ) throws -> (ImportSummary, refused: [Int]) {
    var (place, begun, refused) = (0, 0, [Int]())
    let summary = try shelf.store.add(
      pages: { refusals in
        refused += refusals.map { begun + $0.index }
        begun = place
        guard place < answers.count else { return last }
        place = min(place + size, answers.count)
        return .items(Array(answers[begun..<place]))
      }, at: day(3), leavingOutRefused: leavingOutRefused, indexing: indexing)
    return (summary, refused)
  }

  private func portrait(_ shelf: Shelf) throws -> [[String]] {
    try ["receipts", "chains", "transactions", "lines", "spans"].map { try shelf.table($0) }
  }

  private func indexes(_ shelf: Shelf) throws -> [String] {
    try shelf.raw { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name || ' ' || ifnull(sql, '') FROM sqlite_master WHERE type = 'index' ORDER BY name
          """)
    }
  }

  /// An import into a store with rows drops the indexes too, but only after some pages.
  @Test(arguments: [nil, 1, 3])
  func aLargeImportRebuildsDroppedIndexes(stoppedAtIndex last: Int?) throws {
    let (shelf, whole) = (try Shelf(), try Shelf())
    let more = (41...90).map {
      ImportedAnswer(answer: makeAnswer(at: day(2), monthly("\($0)", 0, 30)), status: 0)
    }
    for each in [shelf, whole] { _ = try each.store.add(Self.answers, at: day(3)) }
    let (before, stood) = (try indexes(shelf), try portrait(shelf))
    var made = 0
    _ = try take(more, by: 1, into: shelf) { index, count in
      #expect(index == made + 1 && count > 5)
      made = index
      return index != last
    }
    #expect(last.map { made == $0 } ?? (made > 5))
    #expect(try indexes(shelf) == before)
    #expect(try shelf.store.status(at: day(3), check: true).integrity == "ok")
    _ = try whole.store.add(more, at: day(3))
    #expect(try portrait(shelf) == (last == nil ? portrait(whole) : stood))
  }

  @Test(arguments: [true, false])
  func restoresDroppedIndexes(_ isKept: Bool) throws {
    let shelf = try Shelf()
    let before = try indexes(shelf)
    for _ in 1...2 {
      _ = try take(Self.answers, by: 7, into: shelf, last: isKept ? .end : .abandon)
      #expect(try indexes(shelf) == before)
      #expect(try shelf.store.status(at: day(3), check: true).integrity == "ok")
    }
  }

  @Test(arguments: [1, 7, 40, 100])
  func answersInPages(_ size: Int) throws {
    let (whole, paged) = (try Shelf(), try Shelf())
    let summary = try whole.store.add(Self.answers, at: day(3))
    #expect(try take(Self.answers, by: size, into: paged).0 == summary)
    #expect(summary.newTransactions == 40)
    #expect(try portrait(paged) == portrait(whole))
    let again = try take(Self.answers, by: size, into: paged).0
    #expect(again.items == 40 && again.changed == 0)
    #expect(try portrait(paged) == portrait(whole))
  }

  /// Answers about the same chains are derived together, with the same result as one by one.
  @Test(arguments: seeds(60))
  func answersAboutTheSameChains(_ seed: UInt64) throws {
    var random = Seeded(seed)
    let world = World(seed: seed)
    let answers = world.stories.flatMap { story in
      var answers = random.chance(30) ? story.answers.shuffled(using: &random) : story.answers
      if random.chance(20) { answers[answers.count / 2].bundleID = BundleID("other") }
      return answers.map {
        ImportedAnswer(
          answer: $0, status: 0, appUserID: story.receipt.appUserID, observedAt: $0.requestDate)
      }
    }
    let now = try #require(world.days.last) + Int64.random(in: -3...90, using: &random) * Milliseconds.day
    let (together, apart) = (try Shelf(), try Shelf())
    for shelf in [together, apart] { _ = try shelf.store.add(World.catalog) }
    let all = try together.store.add(answers, at: now, leavingOutRefused: true)
    var (refused, new) = (0, 0)
    for answer in answers {
      let one = try apart.store.add([answer], at: now, leavingOutRefused: true)
      (refused, new) = (refused + one.refused.count, new + one.newTransactions)
    }
    #expect(all.refused.count == refused && all.newTransactions == new)
    for table in ["receipts", "transactions"] {
      #expect(try together.table(table) == apart.table(table), "\(table)")
    }
    for panel in Panel.allCases {
      var question = Question(panel: panel, at: now, windowDays: 90, environment: .all, limit: .max)
      if panel == .movement { question.split = .product }
      #expect(try together.store.report(question) == apart.store.report(question), "\(panel)")
    }
  }

  @Test func abandonedAnswersLeaveTheStoreAsItWas() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let before = try portrait(shelf)
    _ = try take(Self.answers, by: 7, into: shelf, last: .abandon)
    #expect(try portrait(shelf) == before)
    _ = try take(Self.answers, by: 7, into: shelf, last: .abandon, leavingOutRefused: true)
    #expect(try portrait(shelf) == before)
  }

  @Test func refusalsAreReportedWithTheNextPage() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("9", 0, 30)))
    let before = try portrait(shelf)
    var answers = Self.answers
    for place in [8, 17, 39] {
      answers[place].answer = makeAnswer(at: day(2), monthly("9", 0, 30), bundle: "other")
    }
    #expect(try take(answers, by: 9, into: shelf).refused == [8, 17, 39])
    #expect(try portrait(shelf) == before)
    let (summary, refused) = try take(answers, by: 9, into: shelf, leavingOutRefused: true)
    #expect(refused == [8, 17, 39] && summary.newTransactions == 37)
  }

  @Test func aRefusedAnswerLeavesNothing() throws {
    let shelf = try Shelf()
    let before = try portrait(shelf)
    let ahead = ImportedAnswer(
      answer: makeAnswer(at: day(30), monthly("1", 0, 30)), status: 0, appUserID: AppUserID("u"),
      observedAt: day(30))
    #expect(try take([ahead], by: 1, into: shelf, leavingOutRefused: true).refused == [0])
    #expect(try portrait(shelf) == before)
  }

  @Test func receiptsInPages() throws {
    let shelf = try Shelf()
    let receipts = (0..<30).map {
      ImportedReceipt(data: ReceiptData(trusted: "MIIB\($0)"), appUserID: AppUserID("u\($0)"))
    }
    for expected in [30, 0] {
      var place = 0
      let summary = try shelf.store.add(
        pages: {
          defer { place += 7 }
          return place < receipts.count ? Array(receipts[place..<min(place + 7, receipts.count)]) : nil
        }, at: day(1))
      #expect(summary == ReceiptImportSummary(new: expected))
    }
    #expect(try shelf.table("receipts").count == 30)
  }
}
