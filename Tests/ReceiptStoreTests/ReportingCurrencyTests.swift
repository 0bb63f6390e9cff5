import Foundation
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Amounts in a reporting currency: METRICS §4.
@Suite struct ReportingCurrencyTests {
  private func question(_ panel: Panel, _ lived: LivedWorld, _ random: inout Seeded) -> Question {
    let last = lived.last
    var question = Question(
      panel: panel,
      at: random.pick(last, last + 2.hours + 17, day(Int.random(in: -100...150, using: &random)))
        + Int64.random(in: 0...7_200_000, using: &random),
      windowDays: random.pick(1, 28, 90, 400), environment: random.pick(.production, .all),
      products: random.pick([], [], [ProductID("monthly"), ProductID("plus")]))
    question.reportingCurrency = LivedWorld.reportingCurrency(lived.seed)
    return question
  }

  @Test func everyAmountHasTheRateOfItsPurchase() throws {
    let euro = CurrencyCode("EUR")
    let shelf = try Shelf(catalog: [
      .make("monthly", 10_000_000, group: "G", level: 2),
      .make("yearly", 60_000_000, period: Period(1, .year), group: "G", level: 1),
    ])
    let rates = [(0, 1_250_000), (10, 2_000_000), (20, 4_000_000)].map { at, micros in
      PublishedRate(
        base: euro, currency: CurrencyCode("USD"), day: day(at).civilDate.daysSince1970,
        picos: Int64(micros) * 1_000_000)
    }
    _ = try shelf.store.add(rates, reporting: euro)
    let rows: [Transaction] = [
      .make("1", chain: "1", purchase: day(0), expires: day(30)) { $0.cancellationDate = day(12) },
      .make("2", chain: "2", purchase: day(0), expires: day(30)) { $0.isUpgraded = true },
      .make("3", chain: "2", product: "yearly", purchase: day(15), expires: day(380)),
      .make("4", chain: "4", purchase: day(12), expires: day(42)),
    ]
    var answer = makeAnswer(at: day(24))
    answer.transactions = rows
    try shelf.take(answer, for: try shelf.keep(someReceipt))
    var question = Question(panel: .overview, at: day(25), windowDays: 28)
    question.reportingCurrency = euro
    let figures = try shelf.store.report(question).data
    let amounts: [(String, dollars: Int128, euros: Int128)] = [
      ("mrr", 15_000_000, 7_500_000), ("sales.amount", 90_000_000, 51_000_000),
      ("sales.proceeds", 63_000_000, 35_700_000), ("refund_amount", 10_000_000, 8_000_000),
      ("prorated_refund", 5_000_000, 4_000_000),
    ]
    for (name, dollars, euros) in amounts {
      let amount = figures[amounts: name]
      #expect(amount.totals.map(\.micros) == [dollars], "\(name)")
      #expect(amount.inReportingCurrency?.micros == euros, "\(name)")
    }
  }

  private static let summed: [(panel: Panel, figure: String)] =
    [(.active, "mrr"), (.refunds, "amount")]
    + ["new", "converted", "expansion", "contraction", "exchanged", "repriced", "to_retry", "lost"].map {
      (.movement, "mrr.\($0)")
    }

  @Test(arguments: seeds(20, sanitized: 3), summed)
  func convertedRowsAddUpToTheirSum(_ seed: UInt64, _ of: (panel: Panel, figure: String)) throws {
    let lived = try LivedWorld(seed, .converted)
    var random = Seeded(seed &+ 33)
    for _ in 0..<4 {
      let question = question(of.panel, lived, &random)
      let found = try lived.store.rows(behind: question, figure: of.figure)
      // If only one side of a change has a rate, the sum has that side, and the row has no amount.
      let isPartial = found.rows.contains { $0.amount != nil && $0.convertedMicros == nil }
      guard found.rows.count == found.count, of.panel != .movement || !isPartial else { continue }
      let worth = found.rows.compactMap(\.convertedMicros).reduce(0, +)
      #expect(worth == found.amounts?.inReportingCurrency?.micros ?? 0, "\(question)")
    }
  }

  @Test(arguments: seeds(40, sanitized: 3)) func unpaidRowsAddUpToTheirSum(_ seed: UInt64) throws {
    let lived = try LivedWorld(seed, .converted)
    var random = Seeded(seed &+ 34)
    for _ in 0..<4 {
      let question = question(.billingRetry, lived, &random)
      let figures = try lived.store.report(question).data
      let worth = figures.unpaid.compactMap(\.convertedMicros).reduce(Int128(0)) { $0 + Int128($1) }
      let whole = figures[amounts: "at_risk_mrr.billing_retry"].inReportingCurrency?.micros
      #expect(worth == whole ?? 0, "\(question)")
    }
  }

  /// Converted changes have their own classes, which may outnumber those of facts.
  @Test func convertedChangesDoNotUseFactClasses() throws {
    let shelf = try LivedWorld(0, .converted).shelf
    try shelf.write(
      "DELETE FROM sums WHERE series % 100 <> 0; UPDATE spans SET due_class_id = NULL; DELETE FROM fact_classes"
    )
    let found = try shelf.store.status(at: .distantFuture, check: true).integrity
    #expect(found == ReceiptStore.disagreement, "no number is of another table")
  }

  @Test(arguments: seeds(20, sanitized: 3)) func ratesMayComeLater(_ seed: UInt64) throws {
    let (before, after) = (try LivedWorld(seed, .converted), try Shelf())
    try after.live(World(seed: seed))
    let rates = LivedWorld.rates(seed)
    #expect(try after.store.add(rates, reporting: CurrencyCode("JPY")) == rates.count)
    #expect(try after.store.add(rates, reporting: LivedWorld.reportingCurrency(seed)) == 0)
    let tables = ["rates", "ledger_state"]
    #expect(try tables.map { try after.table($0) } == tables.map { try before.shelf.table($0) })
    #expect(try after.store.add(rates) == 0)
    var random = Seeded(seed)
    for panel in Panel.allCases {
      let question = question(panel, before, &random)
      #expect(differences(try before.store.report(question), try after.store.report(question)) == [])
    }
    try before.store.rebuild()
    #expect(try after.table("sums").count == before.shelf.table("sums").count)
  }

  /// Amounts in another currency than that of the sums are computed from the lines.
  @Test(arguments: seeds(10, sanitized: 2)) func anyCurrencyCanBeAskedFor(_ seed: UInt64) throws {
    let (converted, other) = (try LivedWorld(seed, .converted), try Shelf())
    try other.live(World(seed: seed))
    _ = try other.store.add(LivedWorld.rates(seed))
    #expect(try other.store.reportingCurrency() == nil)
    var random = Seeded(seed)
    for panel in Panel.allCases {
      let question = question(panel, converted, &random)
      #expect(differences(try converted.store.report(question), try other.store.report(question)) == [])
      var own = question
      own.reportingCurrency = nil
      let report = try converted.store.report(own)
      #expect(report.unconverted == nil)
      #expect(differences(report, try other.store.report(own)) == [])
    }
  }

  /// A store that has cached rates sees another process's import.
  @Test func correctedRatesCount() throws {
    let shelf = try Shelf(catalog: [.make("monthly", 10_000_000)])
    let euro = CurrencyCode("EUR")
    func rate(_ at: Int, _ micros: Int64?) -> PublishedRate {
      PublishedRate(
        base: euro, currency: CurrencyCode("USD"), day: day(at).civilDate.daysSince1970,
        picos: micros.map { $0 * 1_000_000 })
    }
    let other = try ReceiptStore(path: shelf.path)
    let receipt = try shelf.keep(someReceipt)
    #expect(try other.add([rate(0, 1_250_000)], reporting: euro) == 1)
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 31)), for: receipt)
    func mrr(_ store: ReceiptStore, _ at: Int) throws -> Amounts {
      var question = Question(panel: .active, at: day(at))
      question.reportingCurrency = euro
      return try store.report(question).data[amounts: "mrr"]
    }
    #expect(try mrr(shelf.store, 5).inReportingCurrency?.micros == 8_000_000)
    #expect(try other.add([rate(0, 1_000_000), rate(31, 2_000_000)]) == 2)
    #expect(try mrr(shelf.store, 5).inReportingCurrency?.micros == 10_000_000)
    // The renewal has the rate of its own day. The first period is not written again.
    try shelf.take(makeAnswer(at: day(32), monthly("1", 0, 31), monthly("2", 31, 61)), for: receipt)
    #expect(try mrr(shelf.store, 5).inReportingCurrency?.micros == 10_000_000)
    #expect(try mrr(shelf.store, 40).inReportingCurrency?.micros == 5_000_000)
    #expect(try mrr(other, 40).totals.map(\.micros) == [10_000_000])
    #expect(try other.add([rate(0, nil)]) == 1)
    #expect(try mrr(shelf.store, 5).inReportingCurrency == nil)
    #expect(try mrr(shelf.store, 5).unconverted == 1)
  }
}
