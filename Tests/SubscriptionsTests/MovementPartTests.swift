import Subscriptions
import TestSupport
import Testing

@Suite struct MovementPartTests {
  private static func movement(_ question: Question, of population: EvidenceLedger) -> LedgerFigures? {
    guard let figures = population.report(question).data.movement else { return nil }
    return figures
  }

  private static let windows = [(7, 31), (28, 60), (90, 200), (365, 390)]

  @Test(arguments: seeds(60), MovementSplit.allCases)
  func partsAddUpToTheWhole(_ seed: UInt64, _ split: MovementSplit) throws {
    let population = EvidenceLedger.generated(seed, chains: 5)
    for (days, end) in Self.windows {
      var question = Question(panel: .movement, at: day(end, hours: 5), windowDays: days)
      question.split = split
      let figures = try #require(Self.movement(question, of: population))
      for part in figures.parts {
        #expect(LedgerFigures.discrepancies(part.groups) == [], "\(part.part), \(days) days")
      }
      for group in figures.groups {
        for (place, figure) in group.figures.enumerated() {
          let whole = Self.sums(of: [group], group.name, place)
          let parts = Self.sums(of: figures.parts.flatMap(\.groups), group.name, place)
          switch figure.name {
          // Each stretch starts with the end of the previous one.
          case "start" where split.isOfTime:
            #expect(Self.sums(of: figures.parts.first?.groups ?? [], group.name, place) == whole)
          case "end" where split.isOfTime:
            #expect(Self.sums(of: figures.parts.last?.groups ?? [], group.name, place) == whole)
          case let name where Movement.otherProducts.contains(name): break
          case "expansion" where !split.isOfTime, "contraction" where !split.isOfTime,
            "repriced" where !split.isOfTime:
            break
          default: #expect(parts == whole, "\(group.name).\(figure.name) by \(split), \(days) days")
          }
        }
        let (from, to) = (Movement.otherProducts[0], Movement.otherProducts[1])
        guard group.figures.contains(where: { $0.name == from }) else { continue }
        guard group.split == .none else {
          // An expansion of the whole is a switch between two of its parts.
          let between = group.figures.indices.filter {
            ["expansion", "contraction", "repriced", from, to].contains(group.figures[$0].name)
          }
          func all(_ groups: [EvaluatedGroup]) -> [CurrencyCode?: Int128] {
            between.map { Self.sums(of: groups, group.name, $0) }
              .reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }.filter { $0.value != 0 }
          }
          #expect(all(figures.parts.flatMap(\.groups)) == all([group]), "\(split), \(days) days")
          continue
        }
        func all(_ name: String) -> Int64 { figures.parts.reduce(0) { $0 + ($1[group.name]?[name] ?? 0) } }
        #expect(all(from) == all(to), "who comes from a part has left one")
      }
    }
  }

  private static func sums(
    of groups: [EvaluatedGroup], _ name: String, _ place: Int
  ) -> [CurrencyCode?: Int128] {
    var sums: [CurrencyCode?: Int128] = [:]
    for group in groups where group.name == name {
      for row in group.rows { sums[row.currency, default: 0] += row.values[place] }
    }
    return sums.filter { $0.value != 0 }
  }

  @Test(arguments: seeds(20), MovementSplit.allCases)
  func everyFigureIsItsRows(_ seed: UInt64, _ split: MovementSplit) throws {
    let population = EvidenceLedger.generated(seed, chains: 5)
    for (days, end) in [(28, 60), (90, 200)] {
      var question = Question(panel: .movement, at: day(end, hours: 5), windowDays: days, limit: .max)
      question.split = split
      let figures = try #require(Self.movement(question, of: population))
      for part in figures.parts {
        for group in part.groups where group.split == .none {
          for figure in group.figures {
            let path = part.part.path(of: "\(group.name).\(figure.name)")
            let named = try #require(FigurePath(path, of: .movement), "\(path)")
            let rows = population.rows(question.narrowed(to: named), figure: named.name)
            #expect(group[figure.name] == Int64(rows.count), "\(path), \(days) days")
          }
        }
      }
    }
  }

  @Test func weeksAndMonthsAreOfTheCalendarAndCutByTheWindow() {
    // 2026-02-01, a Sunday, at 05:00.
    let window = Question(panel: .movement, at: day(31, hours: 5), windowDays: 28).window
    let weeks = MovementPart.stretches(of: window, by: .week, in: .utc)
    #expect(
      weeks.compactMap(\.value) == ["2025-12-29", "2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26"])
    let months = MovementPart.stretches(of: window, by: .month, in: .utc)
    #expect(months.compactMap(\.value) == ["2026-01", "2026-02"])
    for parts in [weeks, months] {
      let windows = parts.map { $0.window(within: window, in: .utc) }
      #expect(windows.first?.from == window.from && windows.last?.to == window.to)
      #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.to == $1.from })
    }
  }

  @Test(arguments: [
    ("by_product.com.example.pro.subscribers.lost", true), ("by_storefront.DEU.mrr.new", true),
    ("by_storefront.unknown.subscribers.end", true), ("by_kind.winback.trials.converted", true),
    ("by_currency.eur.mrr.expansion", true), ("by_week.2026-11-16.lost_by_reason.cancelled", true),
    ("by_month.2026-10.billing_retry.start", true), ("by_week.2026-11-17.subscribers.lost", false),
    ("by_month.2026-13.subscribers.lost", false), ("by_kind.gift.subscribers.lost", false),
    ("by_product..subscribers.lost", false), ("by_product.x.lost", false),
    ("by_age.3.subscribers.lost", false),
    ("by_product.x.subscribers.nothing", false),
  ])
  func pathsOfParts(_ path: String, _ isKnown: Bool) {
    #expect((FigurePath(path, of: .movement) != nil) == isKnown)
  }

  /// The overview's sentence names a flow in the total's direction, and perhaps a larger one against it.
  @Test(arguments: seeds(100))
  func moversAreTheirRows(_ seed: UInt64) throws {
    let population = EvidenceLedger.generated(seed, chains: 5)
    for (days, end) in Self.windows {
      let question = Question(panel: .overview, at: day(end, hours: 5), windowDays: days, limit: .max)
      let figures = population.report(question).data
      #expect(figures.movement?.discrepancies == [])
      #expect(figures.movement?["subscribers"]?["end"] == Int64(figures["active_paid"]))
      #expect(figures[parts: "movement_by_product"].reduce(0) { $0 + $1["end"] } == figures["active_paid"])
      guard let change = figures.revenueChange else { continue }
      #expect(figures[amounts: "mrr"][change.currency] ?? 0 == change.endMicros)
      let isRise = change.endMicros > change.startMicros
      guard let first = change.movers.first, let last = change.movers.last else {
        #expect(change.startMicros == change.endMicros)
        continue
      }
      #expect((first.micros > 0) == isRise)
      if change.movers.count > 1 {
        #expect((last.micros > 0) != isRise && last.micros.magnitude >= first.micros.magnitude)
      }
      for mover in change.movers {
        let path = try #require(FigurePath(mover.figure, of: .movement), "\(mover.figure)")
        var movement = question
        movement.panel = .movement
        let rows = population.rows(movement.narrowed(to: path), figure: path.name)
        #expect(rows.count == mover.lines, "\(mover.figure), \(days) days to day \(end)")
        #expect(rows.amounts?[change.currency] ?? mover.micros == mover.micros, "\(mover.figure)")
      }
    }
  }
}
