import Foundation
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// The panels answer from sums what the domain answers over everything that is known.
@Suite struct SameAnswersTests {
  /// Of `make soak` there are more.
  private static let worlds =
    ProcessInfo.processInfo.environment["SUBTOP_SOAK_WORLDS"].flatMap(UInt64.init) ?? 200

  /// Many populations with a question or two for each panel, and a few with many.
  @Test(arguments: seeds(worlds, sanitized: 5))
  func aWorldSeenInTwoWays(_ seed: UInt64) throws {
    let world = World(seed: seed)
    let shelf = try Shelf()
    try shelf.live(world)
    let population = try shelf.store.population()
    #expect(try shelf.store.answersFromSums())
    for question in questions(world, population, seed: seed) {
      let found = differences(try shelf.store.report(question), population.report(question))
      #expect(found == [], "\(question)")
    }
  }

  /// Instants at which something is counted: about these, and a window later, the parts of hours have to be right.
  private func moments(_ population: Population) -> [Instant] {
    population.lines.flatMap { line in
      line.rows.flatMap { [$0.purchase, $0.effectiveEnd, $0.expires, $0.expires + 60.days] }
        + line.renewals.compactMap(\.info.gracePeriodExpiresDate) + line.renewals.map(\.observedAt)
        + [line.validatedAt].compactMap { $0.map { $0 + 1.days } }
    }
  }

  private func questions(_ world: World, _ population: Population, seed: UInt64) -> [Question] {
    var random = Seeded(seed &+ 1_000_000)
    let last = world.days.last ?? day(0)
    let moments = moments(population)
    return Panel.allCases.flatMap { panel in
      (0..<(seed < 60 ? 6 : 1)).map { index in
        let windowDays = random.pick(28, 1, 7, 30, 45, 90, 365, 400)
        let near =
          (moments.randomElement(using: &random) ?? last) + random.pick(0, windowDays.days)
          + random.pick(-1, 0, 1, Int64.random(in: -7_200_000...7_200_000, using: &random))
        let t: Instant = random.pick(
          near, near, near, last, last + 1, last + 2.hours, last + 30.days, last + 65.days,
          world.days.randomElement(using: &random) ?? last,
          day(Int.random(in: -210...150, using: &random)), day(900))
        var question = Question(
          panel: panel, at: index == 0 && seed % 2 == 0 ? last : t,
          windowDays: windowDays,
          environment: random.pick(.production, .production, .sandbox, .all),
          products: random.pick([], [], ["monthly"], ["weekly", "plus"], ["coins"], ["nothing"]).reduce(
            into: []) { $0.insert(ProductID($1)) },
          limit: random.pick(1000, 2, 0))
        question.offers = random.pick(.all, .all, .kind(.standard), .kind(.intro), .offer(.promo, "SPRING"))
        return question
      }
    }
  }

  /// What the store derived bit by bit is what it derives from everything at once.
  @Test(arguments: seeds(40, sanitized: 5))
  func aRebuildChangesNothing(_ seed: UInt64) throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: seed))
    let derived = [
      "transactions", "lines", "spans", "episodes", "events", "sums", "cohort_sums", "cohort_classes",
    ]
    let before = try derived.map { try shelf.table($0) }
    try shelf.store.rebuild()
    #expect(try derived.map { try shelf.table($0) } == before)
  }

  /// Of an hour in which so many lines change, that part is read in which fewer do.
  @Test func anHourInWhichManyChange() throws {
    let shelf = try Shelf()
    let (many, few) = (0..<5100, 5100..<5200)
    let hour = day(0) + 3.hours
    let rows = [(many, hour), (few, hour + 40 * 60_000)].flatMap { range, t in
      range.map { monthly(String($0), 0, 30) { $0.purchaseDate = t } }
    }
    var answer = makeAnswer(at: day(1))
    answer.transactions = rows
    try shelf.take(answer, for: try shelf.keep(someReceipt))
    let population = try shelf.store.population()
    for minutes in [0, 10, 35, 40, 50] {
      for days in [0, 1, 23, 28] {
        let t = hour + Int64(minutes) * 60_000 + days.days
        for panel in [Panel.overview, .movement] {
          let question = Question(panel: panel, at: t, windowDays: 1)
          let found = differences(try shelf.store.report(question), population.report(question))
          #expect(found == [], "\(panel) at \(minutes) min, \(days) d")
        }
      }
    }
  }

  /// Prices and groups that come later make the same figures as those that were there from the start.
  @Test(arguments: seeds(20, sanitized: 5))
  func theCatalogueMayComeLater(_ seed: UInt64) throws {
    let world = World(seed: seed)
    let (before, after) = (try Shelf(), try Shelf(catalog: [.make("weekly", 1, group: "H", level: 9)]))
    try before.live(world)
    try after.live(world)
    _ = try after.store.add(World.catalog)
    for panel in Panel.allCases {
      let question = Question(panel: panel, at: world.days.last ?? day(0), windowDays: 200, environment: .all)
      let found = differences(try before.store.report(question), try after.store.report(question))
      #expect(found == [])
    }
  }
}
