import Subscriptions
import TestSupport
import Testing

@Suite struct ComparisonTests {
  @Test(
    arguments: [
      ("before", .before), ("year", .year),
      ("product:com.example:pro", .products(nil, ProductID("com.example:pro"))),
      ("product:a,b", .products(ProductID("a"), ProductID("b"))),
      ("storefront:deu", .storefronts(nil, StorefrontCode("DEU"))),
      ("storefront:DEU,USA", .storefronts(StorefrontCode("DEU"), StorefrontCode("USA"))),
      ("environment:sandbox", .environment(.sandbox)),
      ("environment:all", .environment(.all)),
    ] as [(String, Comparison)])
  func isRead(_ text: String, _ comparison: Comparison) {
    #expect(Comparison(parsing: text) == comparison)
  }

  @Test(
    arguments: [
      "", "after", "before:", "year:1", "product:", "product:a,", "product:,a", "product:a,b,c", "product",
      "storefront:", "environment:", "environment:nowhere", "environment:sandbox,production", ":a",
    ])
  func isRefused(_ text: String) {
    #expect(Comparison(parsing: text) == nil)
  }

  /// The same day and time, the day clamped.
  @Test(
    arguments: [
      ("2026-11-24T10:30:00Z", "2025-11-24T10:30:00Z"), ("2024-02-29T23:59:59Z", "2023-02-28T23:59:59Z"),
      ("2025-02-28T00:00:00Z", "2024-02-28T00:00:00Z"), ("2025-03-01T00:00:00Z", "2024-03-01T00:00:00Z"),
    ])
  func aYearAgo(_ now: String, _ then: String) throws {
    let question = Question(panel: .churn, at: try #require(Instant(parsing: now)), windowDays: 7)
    let that = Comparison.year.that(question)
    #expect(that.at == Instant(parsing: then))
    #expect(that.windowDays == 7 && Comparison.year.this(question) == question)
  }

  private static func population(_ seed: UInt64) -> Population {
    let chains = (0..<6).map { number in
      var chain = Chain.generated(seed &* 6 &+ UInt64(number))
      chain.originalTransactionID = OriginalTransactionID("\(number)")
      return chain
    }
    return Population(chains, receipts: 6, catalog: .generated)
  }

  /// Each side is what it is when it is asked for alone, and the difference what lies between.
  @Test(arguments: 0..<60, [Panel.active, .churn, .movement, .refunds, .overview])
  func isBothSides(_ seed: UInt64, _ panel: Panel) {
    var random = Seeded(seed)
    let population = Self.population(seed)
    let question = Question(panel: panel, at: day(Int(seed) * 4 + 100), windowDays: random.pick(7, 28, 90))
    let comparison = random.pick(
      Comparison.before, .year, .products(ProductID("monthly"), ProductID("yearly")), .environment(.all))
    let (this, that) = (comparison.this(question), comparison.that(question))
    let first = day(0)
    let compared = ComparedReports(
      comparison, population.report(this), population.report(that), firstPurchase: first)
    let isKnown = comparison == .before || comparison == .year ? first <= that.window.from : true
    #expect(compared.isKnown == isKnown)
    let (here, there) = (ReportValues(population.report(this)), ReportValues(population.report(that)))
    for figure in compared.figures {
      func number(_ values: ReportValues) -> Double? {
        let entry = values.entries(figure.path).first { $0.currency == figure.currency }
        // What is not there at all is nothing.
        return entry.map { $0.value?.number } ?? 0
      }
      #expect(figure.this?.number == number(here) || figure.this == nil, "\(figure.path)")
      if let that = figure.that { #expect(isKnown && that.number == number(there), "\(figure.path)") }
      if !isKnown { #expect(figure.that == nil && figure.difference == nil && figure.change == nil) }
      if let this = figure.this, let that = figure.that {
        #expect(figure.difference?.number == this.number - that.number, "\(figure.path)")
      }
    }
    let paths = Set(compared.figures.map(\.path))
    #expect(!paths.contains { $0.hasPrefix("trust") })
    if case .products = comparison { #expect(!paths.contains { $0.contains("by_product.") }) }
  }

  /// What one window ended with is what the next began with.
  @Test(arguments: 0..<60) func windowsFollowEachOther(_ seed: UInt64) {
    let population = Self.population(seed)
    let question = Question(panel: .movement, at: day(Int(seed) * 4 + 60), windowDays: 28)
    let compared = ComparedReports(
      .before, population.report(question), population.report(Comparison.before.that(question)),
      firstPurchase: day(-1))
    func figure(_ path: String) -> ComparedReports.Figure? { compared.figures.first { $0.path == path } }
    #expect(figure("subscribers.end")?.that == figure("subscribers.start")?.this)
    #expect(figure("trials.end")?.that == figure("trials.start")?.this)
  }

  @Test func whatNobodyKnewIsUnknownAndNotNothing() throws {
    let population = Population.make([chain("1", monthly("1", 0, 30)), chain("2", monthly("2", -200, 400))])
    let question = Question(panel: .active, at: day(75), windowDays: 28)
    func compared(firstPurchase: Instant?) -> ComparedReports {
      ComparedReports(
        .before, population.report(question), population.report(Comparison.before.that(question)),
        firstPurchase: firstPurchase)
    }
    let known = compared(firstPurchase: day(-200))
    let grace = try #require(known.figures.first { $0.path == "grace" })
    #expect(grace.this == .count(0) && grace.that == nil, "a line stood in a gap that nobody had looked into")
    #expect(known.figures.first { $0.path == "paid" }?.that == .count(1))
    for first in [day(19, hours: 1), nil] {
      let unknown = compared(firstPurchase: first)
      #expect(!unknown.isKnown && unknown.figures.allSatisfy { $0.that == nil })
    }
    #expect(compared(firstPurchase: day(19)).isKnown)
  }
}
