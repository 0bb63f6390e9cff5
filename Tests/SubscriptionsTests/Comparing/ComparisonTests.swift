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
      ("offer:intro", .offers(nil, .kind(.intro))),
      ("offer:standard,code:FRIEND", .offers(.kind(.standard), .offer(.code, "FRIEND"))),
      ("cohort:2026-03", .cohorts(nil, CivilMonth(index: 2026 * 12 + 2))),
      (
        "cohort:2026-03,2025-12",
        .cohorts(CivilMonth(index: 2026 * 12 + 2), CivilMonth(index: 2025 * 12 + 11))
      ),
      ("environment:sandbox", .environment(.sandbox)),
      ("environment:all", .environment(.all)),
    ] as [(String, Comparison)])
  func isRead(_ text: String, _ comparison: Comparison) {
    #expect(Comparison(parsing: text) == comparison)
  }

  @Test(
    arguments: [
      "", "after", "before:", "year:1", "product:", "product:a,", "product:,a", "product:a,b,c", "product",
      "storefront:", "environment:", "environment:nowhere", "offer:", "offer:trial", "offer:nothing",
      "offer:intro,", "offer:intro,nothing", "cohort:2026", "cohort:2026-13", "cohort:x,2026-01",
      "cohort:2026-01,", "environment:sandbox,production", ":a",
    ])
  func isRefused(_ text: String) {
    #expect(Comparison(parsing: text) == nil)
  }

  @Test(
    arguments: [
      ("2026-11-24T10:30:00Z", "2025-11-24T10:30:00Z"), ("2024-02-29T23:59:59Z", "2023-02-28T23:59:59Z"),
      ("2025-02-28T00:00:00Z", "2024-02-28T00:00:00Z"), ("2025-03-01T00:00:00Z", "2024-03-01T00:00:00Z"),
    ])
  func aYearAgo(_ now: String, _ then: String) throws {
    let question = Question(panel: .churn, at: try #require(Instant(parsing: now)), windowDays: 7)
    let that = Comparison.year.that(question)
    #expect(that.at == Instant(parsing: then))
    #expect(that.window.days == 7 && Comparison.year.this(question) == question)
  }

  @Test(arguments: seeds(60), [Panel.active, .churn, .movement, .refunds, .overview])
  func isBothSides(_ seed: UInt64, _ panel: Panel) {
    var random = Seeded(seed)
    let population = EvidenceLedger.generated(seed)
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
        // Absent currencies count as 0.
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

  private static func active(_ on: Int, _ off: Int, _ unknown: Int, at: Int) -> Report {
    var figures = FigureValues()
    (figures["paid"], figures["renewing"], figures["auto_renew_off"], figures["auto_renew_unknown"]) = (
      on + off + unknown, on, off, unknown
    )
    figures[amounts: "mrr_parts.auto_renew_unknown"] = Amounts([
      Money(micros: 1, currency: CurrencyCode("EUR"))
    ])
    return Report(
      answering: Question(panel: .active, at: day(at)), trust: Trust(), data: figures)
  }

  /// Past auto-renew status is known only from answers of that time.
  @Test(
    arguments: [
      ("of all known", [5, 2, 0], [4, 1, 0], true, true),
      ("of none known then", [5, 2, 0], [0, 0, 5], true, false),
      ("of a part known then", [5, 2, 0], [2, 0, 3], true, false),
      ("of nearly all known then", [500, 20, 5], [495, 0, 5], true, true),
      ("of none known now", [0, 0, 7], [4, 1, 0], false, true),
    ])
  func comparesAutoRenewOnlyIfKnown(
    _ name: String, _ now: [Int], _ then: [Int], _ knowsNow: Bool, _ knowsThen: Bool
  ) throws {
    let reports = ComparedReports(
      .before, Self.active(now[0], now[1], now[2], at: 100), Self.active(then[0], then[1], then[2], at: 72),
      firstPurchase: day(0))
    for path in ["renewing", "auto_renew_off"] {
      let figure = try #require(reports.figures.first { $0.path == path })
      #expect((figure.this != nil) == knowsNow && (figure.that != nil) == knowsThen, "\(name): \(path)")
      #expect((figure.difference != nil) == (knowsNow && knowsThen), "\(name): \(path)")
    }
    for path in ["auto_renew_unknown", "mrr_parts.auto_renew_unknown"] {
      let unknown = try #require(reports.figures.first { $0.path == path })
      #expect(unknown.difference != nil, "how many it is unknown of is known")
      #expect(unknown.change == nil, "what was asked is no change")
    }
  }

  private static func cohorts(_ cohorts: [(month: Int, lines: [Int])], at: Int) -> Report {
    var figures = FigureValues()
    figures[parts: "rows"] = cohorts.map { month, lines in
      FigureValues(
        month: CivilMonth(of: day(0)).adding(months: month), lines: lines[0],
        retained: lines.enumerated().map {
          FigureValues(months: $0, lines: $1, of: lines[0], cohort: lines[0])
        })
    }
    return Report(
      answering: Question(panel: .cohorts, at: day(at)), trust: Trust(), data: figures)
  }

  private static func compared(
    _ comparison: Comparison, _ this: Report, _ that: Report
  ) -> [String: ComparedReports.Figure] {
    let reports = ComparedReports(comparison, this, that, firstPurchase: day(0))
    return Dictionary(reports.figures.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func cohortsAreComparedWithThoseOfAYearBefore() throws {
    let month = CivilMonth(of: day(0))
    let (first, next) = (month.adding(months: 2), month.adding(months: 14))
    let figures = Self.compared(
      .year, Self.cohorts([(2, [10, 9, 8]), (14, [20, 10])], at: 460),
      Self.cohorts([(2, [10, 9])], at: 95))
    let kept = try #require(figures["rows.\(next).retained.1.rate"])
    #expect(kept.this == .share(0.5) && kept.that == .share(0.9))
    #expect(figures["rows.\(next).lines"]?.that == .count(10))
    #expect(figures["rows.\(first).lines"] == nil, "no line could begin a year before")
    #expect(Comparison.year.otherFigure("rows.\(next).1", of: .cohorts) == "rows.\(first).1")
    #expect(
      figures["average.1.rate"]?.this == .share(19.0 / 30) && figures["average.1.rate"]?.that == .share(0.9))
  }

  @Test func youngerCohortsAreUnknown() throws {
    let month = CivilMonth(of: day(0))
    let (this, that) = (
      Self.cohorts([(0, [10, 9, 8])], at: 70), Self.cohorts([(0, [4, 3]), (1, [2, 2])], at: 70)
    )
    let figures = Self.compared(.products(ProductID("a"), ProductID("b")), this, that)
    #expect(figures["rows.\(month).lines"]?.difference == .count(6))
    let later = try #require(figures["rows.\(month).retained.2.rate"])
    #expect(later.this == .share(0.8) && later.that == nil && later.difference == nil)
    let other = month.adding(months: 1)
    #expect(figures["rows.\(other).lines"]?.this == .count(0), "no line began, which is known")
    #expect(figures["rows.\(other).retained.1.rate"]?.this == .some(nil), "a share of 0 lines")
  }

  @Test func oneCohortIsComparedWithAllOrAnother() throws {
    let month = CivilMonth(of: day(0))
    let next = month.adding(months: 1)
    let report = Self.cohorts([(0, [10, 9, 8]), (1, [30, 15])], at: 70)
    let average = Self.compared(.cohorts(nil, next), report, report)
    #expect(average.count == 1)
    #expect(average["average.1.rate"]?.this == .share(0.6) && average["average.1.rate"]?.that == .share(0.5))
    let two = Self.compared(.cohorts(month, next), report, report)
    #expect(two["rows.\(month).lines"]?.this == .count(10) && two["rows.\(month).lines"]?.that == .count(30))
    #expect(two["rows.\(month).retained.1.rate"]?.that == .share(0.5) && two["rows.\(next).lines"] == nil)
    #expect(Comparison.cohorts(month, next).otherFigure("rows.\(month).1", of: .cohorts) == "rows.\(next).1")
  }

  /// Pending changes are known only from answers of that time, so a past 0 is unknown.
  @Test(arguments: [(Comparison.before, false), (.environment(.all), true)])
  func pastPendingChangesAreUnknown(_ comparison: Comparison, _ isKnown: Bool) throws {
    let question = Question(panel: .upgrades, at: day(100))
    func report(_ pending: Int, _ question: Question) -> Report {
      var figures = FigureValues()
      figures["pending"] = pending
      return Report(answering: question, trust: Trust(), data: figures)
    }
    let figures = Self.compared(
      comparison, report(3, comparison.this(question)), report(0, comparison.that(question)))
    #expect((figures["pending"]?.that != nil) == isKnown)
    let known = Self.compared(
      comparison, report(3, comparison.this(question)), report(1, comparison.that(question)))
    #expect(known["pending"]?.difference == .count(2))
  }

  /// Refunds are not counted by storefront, so a 0 would be wrong.
  @Test func omitsFiguresWithoutStorefronts() throws {
    let population = EvidenceLedger.generated(7)
    let comparison = Comparison.storefronts(StorefrontCode("USA"), StorefrontCode("DEU"))
    for panel in Panel.allCases where panel.comparesStorefronts {
      let question = Question(panel: panel, at: day(128), windowDays: 90)
      let reports = ComparedReports(
        comparison, population.report(comparison.this(question)),
        population.report(comparison.that(question)),
        firstPurchase: day(0))
      let paths = reports.figures.map(\.path) + reports.this.trend.series.map(\.figure)
      for part in ["refunds", "refund_amount", "prorated_refund", "due", "renewals", "trials"]
      where panel == .overview || panel == .churn {
        #expect(!paths.contains { $0 == part || $0.hasPrefix("\(part).") }, "\(panel): \(part)")
      }
    }
  }

  @Test func pastValuesWithoutAValidationAreUnknown() throws {
    let population = EvidenceLedger.make([
      chain("1", monthly("1", 0, 30)), chain("2", monthly("2", -200, 400)),
    ])
    let question = Question(panel: .active, at: day(75), windowDays: 28)
    func compared(firstPurchase: Instant?) -> ComparedReports {
      ComparedReports(
        .before, population.report(question), population.report(Comparison.before.that(question)),
        firstPurchase: firstPurchase)
    }
    let known = compared(firstPurchase: day(-200))
    let grace = try #require(known.figures.first { $0.path == "grace" })
    #expect(grace.this == .count(0) && grace.that == nil, "a line was in a gap without a snapshot")
    #expect(known.figures.first { $0.path == "paid" }?.that == .count(1))
    for first in [day(19, hours: 1), nil] {
      let unknown = compared(firstPurchase: first)
      #expect(!unknown.isKnown && unknown.figures.allSatisfy { $0.that == nil })
    }
    #expect(compared(firstPurchase: day(19)).isKnown)
  }
}
