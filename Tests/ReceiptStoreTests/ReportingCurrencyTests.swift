import Foundation
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Amounts in a reporting currency: METRICS §4.
@Suite struct ReportingCurrencyTests {
  private static let worlds = [(CurrencyCode("EUR")), CurrencyCode("GBP"), CurrencyCode("USD")]

  /// Working days have rates, and those before day -60 none: of what was bought then nothing is converted.
  private static func rates(_ seed: UInt64) -> [PublishedRate] {
    var random = Seeded(seed)
    return (-60...200).filter { day($0).civilDate.weekday % 6 != 0 }.flatMap { at in
      [("USD", 1_050_000...1_250_000), ("GBP", 800_000...900_000)].map { currency, range in
        PublishedRate(
          base: CurrencyCode("EUR"), currency: CurrencyCode(currency), day: NaiveRates.number(of: day(at)),
          picos: Int64.random(in: range, using: &random) * 1_000_000)
      }
    }
  }

  private static func reporting(_ seed: UInt64) -> CurrencyCode { worlds[Int(seed % 3)] }

  private func shelf(_ seed: UInt64) throws -> Shelf {
    let shelf = try Shelf()
    _ = try shelf.store.add(Self.rates(seed), reporting: Self.reporting(seed))
    try shelf.live(World(seed: seed))
    return shelf
  }

  private func question(_ panel: Panel, _ seed: UInt64, _ random: inout Seeded) -> Question {
    let last = World(seed: seed).days.last ?? day(0)
    var question = Question(
      panel: panel,
      at: random.pick(last, last + 2.hours + 17, day(Int.random(in: -100...150, using: &random)))
        + Int64.random(in: 0...7_200_000, using: &random),
      windowDays: random.pick(1, 28, 90, 400), environment: random.pick(.production, .all),
      products: random.pick([], [], [ProductID("monthly"), ProductID("plus")]))
    question.reportingCurrency = Self.reporting(seed)
    return question
  }

  @Test(arguments: seeds(60, sanitized: 3)) func sumsSayWhatTheLinesDo(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    let population = try shelf.store.population()
    var random = Seeded(seed &+ 77)
    for panel in Panel.allCases {
      for _ in 0..<3 {
        let question = question(panel, seed, &random)
        let report = try shelf.store.report(question)
        #expect(differences(report, population.report(question)) == [], "\(question)")
        #expect(report.reportingCurrency == Self.reporting(seed) && report.unconverted != nil)
      }
    }
    #expect(try shelf.store.answersFromSums())
  }

  /// The same amounts, worked out from the rows one by one and by rates that are looked for day by day.
  @Test(arguments: seeds(60, sanitized: 3)) func everyAmountIsOfTheRatesOfItsRow(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    let naive = NaiveRates(Self.rates(seed), in: Self.reporting(seed))
    let lines = try shelf.store.population().lines.filter { !$0.isFamilyShared }
    var random = Seeded(seed &+ 99)
    for _ in 0..<4 {
      let question = question(.overview, seed, &random)
      let counted = lines.filter { question.environment.contains($0.id.environment) }
      let rows = counted.flatMap(\.rows).filter { question.includes($0.productID) }
      let window = question.window
      guard case .overview(let figures) = try shelf.store.report(question).data else { return }
      #expect(
        figures.mrr.told
          == naive.told(
            counted.compactMap { line in
              guard let position = line.timeline.position(at: question.at) else { return nil }
              let row = line.rows[position.row]
              let isPaid = position.state == .active || position.state == .grace && row.kind != .trial
              return isPaid && question.includes(row.productID) ? row.monthly.map { ($0, row.purchase) } : nil
            }), "mrr, \(question)")
      let sold = rows.filter { $0.kind.isPaid && window.contains($0.purchase) }
      #expect(
        figures.sales.amount.told
          == naive.told(sold.compactMap { row in row.price.map { ($0.amount, row.purchase) } }),
        "sales, \(question)")
      #expect(
        figures.sales.proceeds.told
          == naive.told(
            sold.compactMap { row in
              row.price.flatMap { price in
                row.commission(app: nil, program: .none).map { ($0.proceeds(of: price.amount), row.purchase) }
              }
            }), "proceeds, \(question)")
      #expect(
        figures.refundAmount.told
          == naive.told(
            rows.compactMap { row in
              guard row.isRefund, let refunded = row.refundedAt, window.contains(refunded) else { return nil }
              return (row.partialRefund ?? row.price?.amount).map { ($0, row.purchase) }
            }), "refunds, \(question)")
      #expect(
        figures.proratedRefund.told
          == naive.told(
            rows.compactMap { row in
              guard let upgrade = row.upgrade, let instant = upgrade.instant, window.contains(instant) else {
                return nil
              }
              return upgrade.proratedRefund.map { ($0, row.purchase) }
            }), "proration, \(question)")
    }
  }

  /// By that they are sorted.
  @Test(arguments: seeds(20, sanitized: 3), [(Panel.active, "mrr"), (.refunds, "amount")])
  func rowsAreWorthWhatTheirSumIs(_ seed: UInt64, _ of: (panel: Panel, figure: String)) throws {
    let shelf = try shelf(seed)
    var random = Seeded(seed &+ 33)
    for _ in 0..<4 {
      let question = question(of.panel, seed, &random)
      let found = try shelf.store.rows(behind: question, figure: of.figure)
      guard found.rows.count == found.count else { continue }
      let worth = found.rows.compactMap(\.convertedMicros).reduce(0, +)
      #expect(worth == found.amounts?.inReportingCurrency?.micros ?? 0, "\(question)")
    }
  }

  @Test(arguments: seeds(30, sanitized: 3)) func movementsAddUp(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    var random = Seeded(seed &+ 55)
    for _ in 0..<5 {
      guard case .declared(let figures) = try shelf.store.report(question(.movement, seed, &random)).data
      else { return }
      let group = try #require(figures["mrr"])
      for values in group.rows.compactMap(\.converted) + [try #require(group.total).values] {
        let sum = values.dropLast().reduce(0, +)
        #expect(sum == values.last)
      }
    }
  }

  private static let derived = ["transactions", "lines", "spans", "events", "sums", "ledger_state"]

  @Test(arguments: seeds(20, sanitized: 3)) func aRebuildChangesNothing(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    let before = try Self.derived.map { try shelf.table($0) }
    try shelf.store.rebuild()
    #expect(try Self.derived.map { try shelf.table($0) } == before)
    // Of one of the worlds, that there is something in the reporting currency.
    if seed == 0 { #expect(before[4].contains { $0.contains("series=100") }) }
  }

  /// Converted changes are of the classes of changes, of which there may be more than there are of facts.
  @Test func classesOfConvertedChangesAreNoFacts() throws {
    let shelf = try shelf(0)
    try shelf.write(
      "DELETE FROM sums WHERE series % 100 <> 0; UPDATE spans SET due_class_id = NULL; DELETE FROM fact_classes"
    )
    #expect(try shelf.store.status(at: .distantFuture, check: true).integrity == "ok")
  }

  /// Rates that come later, and a second time, make what those made that were there from the start.
  @Test(arguments: seeds(20, sanitized: 3)) func ratesMayComeLater(_ seed: UInt64) throws {
    let (before, after) = (try shelf(seed), try Shelf())
    try after.live(World(seed: seed))
    let rates = Self.rates(seed)
    #expect(try after.store.add(rates, reporting: CurrencyCode("JPY")) == rates.count)
    #expect(try after.store.add(rates, reporting: Self.reporting(seed)) == 0)
    let tables = ["rates", "ledger_state"]
    #expect(try tables.map { try after.table($0) } == tables.map { try before.table($0) })
    #expect(try after.store.add(rates) == 0)
    var random = Seeded(seed)
    for panel in Panel.allCases {
      let question = question(panel, seed, &random)
      #expect(differences(try before.store.report(question), try after.store.report(question)) == [])
    }
    try before.store.rebuild()
    #expect(try after.table("sums").count == before.table("sums").count)
  }

  /// A question about another currency than the sums are told in is answered from the lines, by the same rates.
  @Test(arguments: seeds(10, sanitized: 2)) func anyCurrencyCanBeAskedFor(_ seed: UInt64) throws {
    let (told, other) = (try shelf(seed), try Shelf())
    try other.live(World(seed: seed))
    _ = try other.store.add(Self.rates(seed))
    #expect(try other.store.reportingCurrency() == nil)
    var random = Seeded(seed)
    for panel in Panel.allCases {
      let question = question(panel, seed, &random)
      #expect(differences(try told.store.report(question), try other.store.report(question)) == [])
      var own = question
      own.reportingCurrency = nil
      let report = try told.store.report(own)
      #expect(report.unconverted == nil)
      #expect(differences(report, try other.store.report(own)) == [])
    }
  }

  /// Another program's import is seen by one that has read the rates before.
  @Test func correctedRatesCount() throws {
    let shelf = try Shelf(catalog: [.make("monthly", 10_000_000)])
    let euro = CurrencyCode("EUR")
    func rate(_ at: Int, _ micros: Int64?) -> PublishedRate {
      PublishedRate(
        base: euro, currency: CurrencyCode("USD"), day: NaiveRates.number(of: day(at)),
        picos: micros.map { $0 * 1_000_000 })
    }
    let other = try ReceiptStore(path: shelf.path)
    let receipt = try shelf.keep(someReceipt)
    #expect(try other.add([rate(0, 1_250_000)], reporting: euro) == 1)
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 31)), for: receipt)
    func mrr(_ store: ReceiptStore, _ at: Int) throws -> Amounts {
      var question = Question(panel: .active, at: day(at))
      question.reportingCurrency = euro
      guard case .active(let figures) = try store.report(question).data else { return Amounts() }
      return figures.mrr
    }
    #expect(try mrr(shelf.store, 5).inReportingCurrency?.micros == 8_000_000)
    #expect(try other.add([rate(0, 1_000_000), rate(31, 2_000_000)]) == 2)
    #expect(try mrr(shelf.store, 5).inReportingCurrency?.micros == 10_000_000)
    // The renewal is of its own day; nobody asked anew for the first.
    try shelf.take(makeAnswer(at: day(32), monthly("1", 0, 31), monthly("2", 31, 61)), for: receipt)
    #expect(try mrr(shelf.store, 5).inReportingCurrency?.micros == 10_000_000)
    #expect(try mrr(shelf.store, 40).inReportingCurrency?.micros == 5_000_000)
    #expect(try mrr(other, 40).totals.map(\.micros) == [10_000_000])
    #expect(try other.add([rate(0, nil)]) == 1)
    #expect(try mrr(shelf.store, 5).inReportingCurrency == nil)
    #expect(try mrr(shelf.store, 5).unconverted == 1)
  }
}

extension Amounts {
  /// What is told of each currency, and how many rows are not.
  fileprivate var told: [String] {
    totals.map { "\($0.currency) \($0.micros) \(converted($0.currency).map(String.init) ?? "-")" }
      + ["\(unconverted)"]
  }
}

/// Rates as anybody would look them up: from the day of the purchase back, one day at a time.
private struct NaiveRates {
  private let reporting: CurrencyCode
  private var rates: [CurrencyCode: [Int: Int64]] = [:]

  init(_ published: [PublishedRate], in reporting: CurrencyCode) {
    self.reporting = reporting
    for rate in published { rates[rate.currency, default: [:]][rate.day] = rate.picos }
  }

  static func number(of t: Instant) -> Int { t.civilDate.daysSince1970 }

  private func picos(_ currency: CurrencyCode, _ purchase: Instant) -> Int64? {
    if currency == CurrencyCode("EUR") { return 1_000_000_000_000 }
    let day = Self.number(of: purchase)
    return (0..<400).lazy.compactMap { rates[currency]?[day - $0] }.first
  }

  func told(_ rows: [(money: Money, purchase: Instant)]) -> [String] {
    var totals: [CurrencyCode: (micros: Int64, converted: Int64, unconverted: Int)] = [:]
    for (money, purchase) in rows {
      var total = totals[money.currency] ?? (0, 0, 0)
      total.micros += money.micros
      if money.currency == reporting {
        total.converted += money.micros
      } else if let from = picos(money.currency, purchase), let to = picos(reporting, purchase) {
        let (product, divisor) = (Int128(money.micros) * Int128(to), Int128(from))
        var (quotient, rest) = product.quotientAndRemainder(dividingBy: divisor)
        if 2 * rest > divisor || (2 * rest == divisor && quotient % 2 == 1) {
          (quotient, rest) = (quotient + 1, 0)
        }
        total.converted += Int64(quotient)
      } else {
        total.unconverted += 1
      }
      totals[money.currency] = total
    }
    return totals.sorted { $0.key < $1.key }.map { currency, total in
      let isNone = total.converted == 0 && total.unconverted > 0
      return "\(currency) \(total.micros) \(isNone ? "-" : String(total.converted))"
    } + ["\(totals.values.reduce(0) { $0 + $1.unconverted })"]
  }
}
