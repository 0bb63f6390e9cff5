import Subscriptions
import TestSupport
import Testing

/// Cohorts of generated lines are what METRICS says of them line by line, and what the rows behind their cells add up to.
@Suite struct CohortWorldTests {
  private struct Cell: Hashable {
    var month: String
    var months: Int
  }

  private struct Told: Equatable {
    var (lines, of): (Int, Int) = (0, 0)
    var (mrr, mrrOf): ([String: Int64], [String: Int64]) = ([:], [:])
  }

  @Test(arguments: seeds(300)) func areWhatTheDefinitionSays(_ seed: UInt64) {
    let world = world(seed)
    for question in questions(world, seed) {
      var told: [Cell: Told] = [:]
      let figures = figures(world, question)
      for cohort in figures.rows {
        #expect(cohort.lines == cohort.retained.first?.of)
        for cell in cohort.retained {
          told[Cell(month: cohort.month.description, months: cell.months)] = Told(
            lines: cell.lines, of: cell.of, mrr: cell.mrr.byCode, mrrOf: cell.mrrOf.byCode)
          #expect((cell.rate == nil) == (cell.of < cohort.lines))
        }
      }
      #expect(told == expected(world, question), "\(question)")
    }
  }

  /// Else the others would hold of nothing.
  @Test func someStayAndSomeDoNot() {
    let cells = seeds(300).flatMap { seed in
      let world = world(seed)
      return questions(world, seed).flatMap { figures(world, $0).rows.flatMap(\.retained) }
    }
    #expect(cells.contains { $0.months > 2 && $0.lines > 1 })
    #expect(cells.contains { $0.lines < $0.of && $0.rate != nil })
    #expect(cells.contains { $0.rate == nil })
    #expect(cells.contains { $0.mrr.totals.count > 1 })
  }

  @Test(arguments: seeds(150)) func areTheirRows(_ seed: UInt64) {
    let world = world(seed)
    for question in questions(world, seed) {
      for cohort in figures(world, question).rows {
        for cell in cohort.retained {
          for part in CohortCell.Part.allCases {
            let path = CohortCell(cohort.month, months: cell.months, part).path
            let rows = world.rows(question, figure: path)
            let lines = [.retained: cell.lines, .of: cell.of, .lost: cell.of - cell.lines][part]
            #expect(rows.count == lines, "\(path) \(question)")
            #expect(rows.rows.allSatisfy { $0.figures.contains(path) && $0.why.contains("first paid") })
            guard part != .lost else { continue }
            let sum = Amounts(rows.rows.compactMap(\.amount))
            #expect(sum.totals == (part == .of ? cell.mrrOf : cell.mrr).totals, "\(path) \(question)")
          }
        }
      }
    }
  }

  private func world(_ seed: UInt64) -> Population {
    Population(
      (0..<8 as Range<UInt64>).map { number in
        var chain = Chain.generated(seed * 8 + number)
        chain.originalTransactionID = OriginalTransactionID("\(number)")
        return chain
      }, receipts: 8, catalog: .generated)
  }

  private func questions(_ world: Population, _ seed: UInt64) -> [Question] {
    var random = Seeded(seed &+ 5)
    let dates = world.lines.flatMap { $0.timeline.spans.map(\.from) }
    return (0..<4).map { _ in
      let near = dates.randomElement(using: &random) ?? day(0)
      var question = Question(
        panel: .cohorts,
        at: near.adding(months: Int.random(in: 0...5, using: &random)) + random.pick(-1, 0, 1, 5_000_000),
        products: Set(random.pick([], [], ["monthly"], ["yearly", "euro"]).map { ProductID($0) }))
      question.offers = random.pick(
        .all, .all, .all, .kind(.standard), .kind(.promo), .offer(.promo, "SPRING"))
      return question
    }
  }

  private func figures(_ world: Population, _ question: Question) -> CohortFigures {
    if case .cohorts(let figures) = world.report(question).data { figures } else { CohortFigures() }
  }

  /// METRICS said over again, with a calendar of its own.
  private func expected(_ world: Population, _ question: Question) -> [Cell: Told] {
    var told: [Cell: Told] = [:]
    for line in world.lines {
      let reference = ReferencePosition(line: line)
      func paidRow(_ t: Instant) -> Row? {
        guard let position = reference.position(at: t) else { return nil }
        let row = line.rows[position.row]
        return position.state == .active || (position.state == .grace && row.kind != .trial) ? row : nil
      }
      let begun = line.timeline.spans.map(\.from).first { paidRow($0) != nil }
      guard let begun, begun <= question.at, let first = paidRow(begun),
        question.products.isEmpty || question.products.contains(first.productID)
      else { continue }
      switch question.offers {
      case .all: break
      case .kind(let kind): guard first.kind == kind else { continue }
      case .offer(let kind, let name):
        guard first.kind == kind, first.transaction.promotionalOfferID == name else { continue }
      }
      for months in 0... {
        guard let t = Self.later(begun, months), t <= question.at else { break }
        let cell = Cell(month: String(begun.dateText.prefix(7)), months: months)
        told[cell, default: Told()].of += 1
        told[cell]?.mrrOf.add(first.price)
        guard let row = paidRow(t) else { continue }
        told[cell]?.lines += 1
        told[cell]?.mrr.add(row.price)
      }
    }
    return told
  }

  private static func later(_ t: Instant, _ months: Int) -> Instant? {
    let date = t.dateText.split(separator: "-").compactMap { Int($0) }
    let (year, month) = (date[0] + (date[1] - 1 + months) / 12, (date[1] - 1 + months) % 12 + 1)
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let ofDay = t.rawValue - (t.rawValue / 86_400_000) * 86_400_000
    return Instant(parsing: "\(year)-\(two(month))-\(two(min(date[2], length)))T00:00:00Z").map { $0 + ofDay }
  }
}

extension [String: Int64] {
  fileprivate mutating func add(_ price: Price?) {
    if let price { self[price.amount.currency.rawValue, default: 0] += price.monthlyMicros }
  }
}

extension Amounts {
  fileprivate var byCode: [String: Int64] {
    Dictionary(uniqueKeysWithValues: totals.map { ($0.currency.rawValue, $0.micros) })
  }
}
