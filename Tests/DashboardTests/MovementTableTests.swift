import Dashboard
import Screen
import Subscriptions
import TestSupport
import Testing

/// What a narrow screen shows of amounts adds up as it stands there, in whole units too.
@Suite("Movement in whole units") struct MovementTableTests {
  private static let currency = CurrencyCode("USD")
  private static let products = (0..<7).map { ProductID("product\($0)") }

  private static func position(_ product: ProductID, _ state: LineState) -> PositionClass {
    PositionClass(
      environment: .production, state: state, product: product, kind: .standard,
      reason: state == .expired ? .intent(.customerCancelled) : nil,
      currency: state == .expired ? nil : currency)
  }

  /// Changes of every kind, of amounts with any parts of a unit.
  private static func changes(_ random: inout Seeded) -> [ChangeClass: Turnover] {
    var changes: [ChangeClass: Turnover] = [:]
    for product in products {
      let active = position(product, .active)
      func amount(_ random: inout Seeded) -> Int64 {
        random.chance(20) ? 0 : Int64.random(in: 1...90_000_000, using: &random)
      }
      func came(_ old: LineState?, _ flow: Flow, _ random: inout Seeded) {
        changes[ChangeClass(old: old.map { position(product, $0) }, new: active, flow: flow)] = Turnover(
          lines: 1, monthlyAfter: amount(&random))
      }
      func went(_ new: LineState, _ flow: Flow, _ random: inout Seeded) {
        changes[ChangeClass(old: active, new: position(product, new), flow: flow)] = Turnover(
          lines: 1, monthlyBefore: amount(&random))
      }
      came(nil, .new, &random)
      came(.trial, .converted, &random)
      came(.billingRetry, .recovered, &random)
      came(.expired, .resubscribed, &random)
      went(.expired, .lost, &random)
      went(.billingRetry, .toRetry, &random)
      changes[ChangeClass(old: active, new: active, flow: .repriced)] = Turnover(
        lines: 1, monthlyBefore: amount(&random), monthlyAfter: amount(&random))
    }
    return changes
  }

  private static func figures(_ question: Question, _ random: inout Seeded) -> LedgerFigures {
    let earlier = Dictionary(
      uniqueKeysWithValues: products.map { product in
        (
          ChangeClass(old: nil, new: position(product, .active), flow: nil),
          Turnover(lines: 9, monthlyAfter: Int64.random(in: 900_000_000...9_999_999_999, using: &random))
        )
      })
    guard question.split?.isOfTime ?? false else {
      let sums = LedgerSums(earlier: earlier, changes: changes(&random))
      var figures = LedgerFigures(Movement.groups, from: sums, question)
      figures.split = question.split
      figures.parts = LedgerFigures.parts(.product, Movement.groups, sums, question)
      return figures
    }
    var all: [ChangeClass: Turnover] = [:]
    var parts: [LedgerFigures.Part] = []
    for part in MovementPart.stretches(of: question.window, by: .week) {
      let changes = changes(&random)
      let own = LedgerSums(earlier: earlier.adding(all), changes: changes)
      parts.append(
        LedgerFigures.Part(
          part: part, window: part.window(within: question.window),
          groups: LedgerFigures(Movement.groups, from: own, question).groups))
      all = all.adding(changes)
    }
    var figures = LedgerFigures(
      Movement.groups, from: LedgerSums(earlier: earlier, changes: all), question)
    (figures.split, figures.parts) = (question.split, parts)
    return figures
  }

  private static func screen(_ split: MovementSplit?, _ seed: UInt64, columns: Int) -> [String] {
    var random = Seeded(seed)
    var question = Question(panel: .movement, at: Sample.now, windowDays: 49)
    question.split = split
    let report = Report(
      answering: question, trust: Sample.trust, data: .declared(figures(question, &random)))
    var bench = Bench(columns, 120)
    bench.report = { _ in report }
    bench.send(.opened)
    bench.show(.movement)
    return bench.canvas.text()
  }

  /// Start, in, out, changed and end of each row of the table of revenue; that of all last.
  private static func rows(_ split: MovementSplit, _ seed: UInt64) -> [[Int]] {
    let table = screen(split, seed, columns: 80).drop { !$0.contains("MRR, USD by") }.dropFirst()
    return table.prefix { $0.hasPrefix("│") }.compactMap { line in
      let cells = line.replacing(",", with: "").split(separator: " ").compactMap { Int($0) }
      return cells.count < 5 ? nil : Array(cells.prefix(5))
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>, [MovementSplit.product, .week])
  func addsUpAsItStandsThere(_ seed: UInt64, _ split: MovementSplit) throws {
    let rows = Self.rows(split, seed)
    #expect(rows.count > 7)
    let all = try #require(rows.last)
    for row in rows { #expect(row[0] + row[1] + row[2] + row[3] == row[4], "\(row)") }
    let parts = rows.dropLast()
    for column in 1...3 {
      #expect(parts.reduce(0) { $0 + $1[column] } == all[column], "column \(column)")
    }
    guard split == .week else {
      #expect(parts.reduce(0) { $0 + $1[0] } == all[0] && parts.reduce(0) { $0 + $1[4] } == all[4])
      return
    }
    #expect(parts.first?[0] == all[0] && parts.last?[4] == all[4])
    for (one, next) in zip(parts, parts.dropFirst()) { #expect(one[4] == next[0]) }
  }

  /// A waterfall adds up to the cent, and no step is off by as much as one.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func waterfallAddsUpAsItStandsThere(_ seed: UInt64) throws {
    let chart = Self.screen(nil, seed, columns: 80).drop { !$0.contains("MRR, USD") }.dropFirst()
    let shown = chart.prefix { $0.hasPrefix("│") }.compactMap { line -> Int? in
      guard let number = line.split(whereSeparator: { " │".contains($0) }).last, number.contains(".") else {
        return nil
      }
      return Int(number.filter { !"+,.".contains($0) })
    }
    #expect(shown.count > 7)
    #expect(shown.dropLast().reduce(0, +) == shown.last, "\(shown)")
    var random = Seeded(seed)
    let question = Question(panel: .movement, at: Sample.now, windowDays: 49)
    let group = try #require(Self.figures(question, &random)["mrr"])
    let exact = try #require(group.rows.first).values.filter { $0 != 0 }
    #expect(exact.count == shown.count)
    for (cents, micros) in zip(shown, exact) { #expect(abs(Int64(cents) * 10_000 - micros) < 10_000) }
  }

  /// What has no room is named, at every width; where all has room nothing is said.
  @Test func namesWhatHasNoRoom() {
    for (width, isNamed) in [(60, true), (80, true), (200, false)] {
      let shown = Self.screen(.product, 1, columns: width).joined()
      #expect(shown.contains("hidden: ") == isNamed, "\(width)")
    }
  }
}

extension [ChangeClass: Turnover] {
  fileprivate func adding(_ others: Self) -> Self {
    merging(others) { one, other in
      var sum = one
      sum += other
      return sum
    }
  }
}
