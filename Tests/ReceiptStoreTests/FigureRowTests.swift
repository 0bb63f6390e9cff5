import Foundation
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Every figure opens into the rows that it is made of, the same in SQL and in the domain.
@Suite struct FigureRowTests {
  private static let panels = Panel.allCases.filter { $0 != .events }

  @Test(arguments: seeds(100, sanitized: 5))
  func sqlAndDomainFindTheSameRows(_ seed: UInt64) throws {
    let world = World(seed: seed)
    let shelf = try Shelf()
    try shelf.live(world)
    let population = try shelf.store.population()
    var random = Seeded(seed &+ 77)
    for panel in Self.panels {
      let question = Self.question(panel, world, &random)
      let all = try shelf.store.rows(behind: question)
      #expect(all == population.rows(question), "\(question)")
      let figures = Set(all.rows.flatMap(\.figures))
      for figure in figures.sorted() {
        var few = question
        few.limit = random.pick(1000, 2, 0)
        let found = try shelf.store.rows(behind: few, figure: figure)
        #expect(found == population.rows(few, figure: figure), "\(figure) \(few)")
      }
    }
  }

  /// What is said of all rows is what they add up to, whichever of them are listed.
  @Test(arguments: seeds(60, sanitized: 5))
  func totalsAreThoseOfAllRows(_ seed: UInt64) throws {
    let world = World(seed: seed)
    let shelf = try Shelf()
    try shelf.live(world)
    var random = Seeded(seed &+ 79)
    for panel in Self.panels {
      var question = Self.question(panel, world, &random)
      let rows = try shelf.store.rows(behind: question).rows
      question.limit = 1
      for figure in Set(rows.flatMap(\.figures)).sorted() {
        let behind = rows.filter { $0.figures.contains(figure) }
        let few = try shelf.store.rows(behind: question, figure: figure)
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

  /// How many rows name a figure is the figure, and what they add is its amount.
  @Test(arguments: seeds(300, sanitized: 5))
  func rowsAddUpToTheFigures(_ seed: UInt64) throws {
    let world = World(seed: seed)
    var random = Seeded(seed &+ 78)
    let shelf = try Shelf()
    try shelf.live(world)
    let population = try shelf.store.population()
    for panel in Self.panels {
      let question = Self.question(panel, world, &random)
      let rows = population.rows(question).rows
      #expect(rows.allSatisfy { $0.figures.allSatisfy { panel.figure($0) != nil } })
      let figures = try Self.leaves(population.report(question).data)
      // A rate of 1 is no count of one.
      for (name, value) in figures where panel.figure(name) != nil && !name.hasSuffix("_rate") {
        let naming = rows.filter { $0.figures.contains(name) }
        switch value {
        case .count(let count): #expect(naming.count == count, "\(name) \(question)")
        case .amount(let amount):
          let sum = Amounts(naming.compactMap { name == "sales.proceeds" ? $0.proceeds : $0.amount })
          #expect(sum.totals == amount, "\(name) \(question)")
        }
      }
    }
  }

  private static func question(_ panel: Panel, _ world: World, _ random: inout Seeded) -> Question {
    let last = world.days.last ?? day(0)
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

  private enum Leaf {
    case count(Int)
    case amount([Money])
  }

  /// The figures of a panel by their paths in its JSON.
  private static func leaves(_ figures: Figures) throws -> [(String, Leaf)] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return leaves(try JSONSerialization.jsonObject(with: encoder.encode(figures)), under: [])
  }

  private static func leaves(_ value: Any, under path: [String]) -> [(String, Leaf)] {
    if let object = value as? [String: Any] {
      return object.sorted { $0.key < $1.key }.flatMap { leaves($1, under: path + [$0]) }
    }
    if let list = value as? [[String: Any]] {
      if list.allSatisfy({ $0["amount_micros"] != nil }) {
        let amounts = list.compactMap { entry -> Money? in
          guard let micros = entry["amount_micros"] as? Int64, let code = entry["currency"] as? String else {
            return nil
          }
          return Money(micros: micros, currency: CurrencyCode(code))
        }
        return [(path.joined(separator: "."), .amount(amounts))]
      }
      return list.flatMap { entry in
        let key = (entry["intent"] ?? entry["period"]).map { $0 as? String ?? "unknown" }
        return key.map { leaves(entry, under: path + [$0]) } ?? []
      }
    }
    return (value as? Int).map { [(path.joined(separator: "."), .count($0))] } ?? []
  }
}
