import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Figures and rows that a reader computes from published rows must equal those of one store with everything.
@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct SharedFigureTests {
  private static let worlds: [(UInt64, LivedWorld.Kind, Int)] =
    seeds(60, sanitized: 2).map { ($0, .plain, $0 % 2 == 0 ? 1 : 3) }
    + seeds(20, sanitized: 1).prefix(4).map { ($0, .converted, 1) }
    + seeds(20, sanitized: 1).prefix(4).map { ($0, .signed, 1) }

  @Test(arguments: worlds) func areThoseOfOneStore(
    _ seed: UInt64, _ kind: LivedWorld.Kind, _ count: Int
  ) throws {
    let lived = try LivedWorld(seed, kind)
    let layouts: [Team.Layout] = [.plain, .partitions, .twoServers]
    let team = try Team(now: lived.last + 2.days, layouts[Int(seed % 3)])
    if count == 1 {
      try team.publish(lived.store)
    } else {
      for (number, part) in World(seed: seed).divided(among: count).enumerated() {
        let shelf = try Shelf()
        try shelf.live(part)
        try team.publish(shelf.store, as: "part \(number)")
      }
    }
    let reader = try team.open()
    var random = Seeded(seed &+ 4321)
    for question in questions(lived, &random) {
      let report = try reader.report(question)
      let difference = differences(report, try lived.store.report(question))
      #expect(difference == [], "\(question.panel) at \(question.at) \(difference.prefix(4)) \(question)")
      guard question.panel != .events else { continue }
      try expectSameRows(question, lived.store, reader, &random)
    }
  }

  private func expectSameRows(
    _ question: Question, _ store: ReceiptStore, _ reader: ReceiptStore, _ random: inout Seeded
  ) throws {
    let rows = try store.rows(behind: question)
    expectSame(try reader.rows(behind: question), rows, "\(question.panel) \(question)")
    guard let figure = Set(rows.rows.flatMap(\.figures)).sorted().randomElement(using: &random) else {
      return
    }
    var few = question
    few.limit = random.pick(1000, 2, 1)
    let found = try reader.rows(behind: few, figure: figure)
    expectSame(found, try store.rows(behind: few, figure: figure), "\(few.panel) \(figure) \(few)")
  }

  private func expectSame(_ found: FigureRows, _ rows: FigureRows, _ question: String) {
    var rows = rows
    #expect(found.forecast == nil, "a shared view has no forecast")
    rows.forecast = nil
    #expect(found == rows, "\(question)")
  }

  private func questions(_ lived: LivedWorld, _ random: inout Seeded) -> [Question] {
    Panel.allCases.map { panel in
      let t: Instant = random.pick(
        lived.last + 1.days, lived.last + 1.days, lived.last + 40.days,
        lived.days.randomElement(using: &random) ?? lived.last,
        day(Int.random(in: -100...150, using: &random)))
      var question = Question(
        panel: panel, at: t.hourEnd, windowDays: random.pick(28, 7, 90, 365),
        environment: random.pick(.production, .sandbox, .all),
        products: random.pick([], [], ["monthly"], ["weekly", "plus"]).reduce(into: []) {
          $0.insert(ProductID($1))
        }, limit: random.pick(1000, 1000, 2))
      if random.chance(30) { question.length = .calendar(random.pick(.month, .quarter, .year), .utc) }
      if lived.kind == .converted { question.reportingCurrency = LivedWorld.reportingCurrency(lived.seed) }
      return question
    }
  }
}
