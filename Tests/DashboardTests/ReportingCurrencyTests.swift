import Dashboard
import Screen
import Subscriptions
import Testing

struct ReportingCurrencyCase: CustomTestStringConvertible, Sendable {
  var name: String
  /// Currency, units, and units of EUR; `nil` without a rate.
  var amounts: [(String, Int64, Int64?)]
  var cell: String
  var figure: [String]
  var testDescription: String { name }

  static let all = [
    ReportingCurrencyCase(
      name: "one currency", amounts: [("USD", 1250, 1000)], cell: "≈ EUR 1,000.00",
      figure: ["MRR ≈ EUR 1,000.00", "USD 1,250.00"]),
    ReportingCurrencyCase(
      name: "the reporting currency alone", amounts: [("EUR", 7, 7)], cell: "EUR 7.00",
      figure: ["MRR EUR 7.00"]),
    ReportingCurrencyCase(
      name: "more than stand below each other",
      amounts: [("EUR", 1, 1), ("GBP", 1, 2), ("JPY", 100, 1), ("USD", 1, 1)], cell: "≈ EUR 5.00",
      figure: ["MRR ≈ EUR 5.00", "in 4 currencies"]),
    ReportingCurrencyCase(
      name: "one of two has no rate", amounts: [("EUR", 5, 5), ("TWD", 30, nil)],
      cell: "EUR 5.00, TWD 30.00", figure: ["MRR ≈ EUR 5.00", "no exchange rate 1", "EUR 5.00", "TWD 30.00"]),
    ReportingCurrencyCase(
      name: "nothing has a rate", amounts: [("TWD", 30, nil)], cell: "TWD 30.00", figure: ["MRR TWD 30.00"]),
    ReportingCurrencyCase(
      name: "nothing at all", amounts: [], cell: "", figure: ["MRR none"]),
  ]
}

@Suite("Amounts in the reporting currency") struct ReportingCurrencyTests {
  private static func report(_ example: ReportingCurrencyCase) -> Report {
    var amounts = Amounts(in: CurrencyCode("EUR"))
    for (currency, units, converted) in example.amounts {
      amounts.add(
        Money(micros: units * 1_000_000, currency: CurrencyCode(currency)),
        converted.map { Converted(micros: Int128($0) * 1_000_000) } ?? Converted(unconverted: 1))
    }
    var figures = FigureValues()
    figures[amounts: "mrr"] = amounts
    var product = FigureValues(product: ProductID("monthly"))
    (product["paid"], product[amounts: "mrr"]) = (1, amounts)
    figures[parts: "by_product"] = [product]
    var trust = Trust()
    (trust.receipts, trust.lines) = (1, 1)
    var question = Question(panel: .active, at: Instant(milliseconds: 1_767_225_600_000))
    question.reportingCurrency = CurrencyCode("EUR")
    return Report(answering: question, trust: trust, data: figures)
  }

  private static func lines(_ text: String, from first: String, to last: String) -> [String] {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .drop { !$0.hasPrefix(first) }.prefix { !$0.hasPrefix(last) }.map(\.self)
  }

  @Test func areTheOnlyAmountsOfComparedParts() {
    var report = Self.report(
      ReportingCurrencyCase(name: "two", amounts: [("EUR", 1, 1), ("USD", 5, 4)], cell: "", figure: []))
    report.data[amounts: "mrr_parts.renewing"] = report.data[amounts: "mrr"]
    let compared = ComparedReports(.before, report, report, firstPurchase: Instant(milliseconds: 0))
    let rows = text(of: compared, width: 120).split(separator: "\n").filter { $0.hasPrefix("  MRR") }
    #expect(rows.count { $0.hasPrefix("  MRR  ") } == 2, "\(rows)")
    let parts = rows.filter { $0.hasPrefix("  MRR, auto-renew on ") }
    #expect(parts.count == 1 && parts.first?.contains("\u{2248}") == true, "\(rows)")
  }

  @Test(arguments: ReportingCurrencyCase.all) func comeFirst(_ example: ReportingCurrencyCase) {
    let report = Self.report(example)
    let shown = text(of: report, width: 100, glyphs: .unicode)
    #expect(Self.lines(shown, from: "MRR", to: "ARR") == example.figure)
    let product = Self.lines(shown, from: "monthly", to: "MRR by currency").first ?? ""
    #expect(product.hasSuffix(example.cell.isEmpty ? "unknown" : example.cell), "\(product)")
    let isLacking = example.amounts.contains { $0.2 == nil }
    #expect(shown.contains("no exchange rate for the purchase date") == isLacking)
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  /// Billing retry adds up in the reporting currency, a filtered list too.
  @Test func areListedInBillingRetry() {
    let euro = CurrencyCode("EUR")
    var bench = Bench.opened(120, 40)
    bench.report = { question in
      var report = Sample.report(question)
      guard question.panel == .billingRetry else { return report }
      var sum = Amounts(in: euro)
      for place in report.data.unpaid.indices {
        guard let money = report.data.unpaid[place].mrr else { continue }
        let micros = money.currency == euro ? money.single : money.single / 2
        report.data.unpaid[place].convertedMicros = micros
        sum.add(money, Converted(micros: Int128(micros)))
      }
      report.data[amounts: "at_risk_mrr.billing_retry"] = sum
      return report
    }
    bench.press("4")
    #expect(bench.screen.contains("MRR ≈ EUR 359.78, newest first"), "\(bench.screen)")
    #expect(bench.words.contains("USD 9.99 EUR 5.00"), "\(bench.screen)")
    bench.press("/", "product:monthly", "enter")
    #expect(bench.screen.contains("15 match, ≈ EUR 86.91"), "\(bench.screen)")
  }

  /// Without a reporting currency, a chart uses the currency of most subscribers, regardless of the amounts.
  @Test(arguments: [
    (["USD", "JPY"], "MRR, USD (most subscribers)"),
    (["JPY", "USD"], "MRR, JPY (most subscribers)"),
    (["EUR", "USD", "JPY"], "MRR, USD only"), ([], "MRR, JPY only"),
  ])
  func aChartIsInTheCurrencyOfMost(_ currencies: [String], _ title: String) {
    var report = Sample.report(Question(panel: .active, at: Sample.now))
    report.trend.follow("mrr", to: 9_000_000_000_000, from: 1_000_000_000_000, CurrencyCode("JPY"))
    report.trend.currenciesByLines = currencies.map { CurrencyCode($0) }
    let lines = text(of: report, width: 100).split(separator: "\n")
    let titles = lines.filter { $0.hasPrefix("MRR, ") }
    #expect(titles == [Substring(title)])
  }

  @Test func comeFirstInComparisons() throws {
    let example = try #require(ReportingCurrencyCase.all.first { $0.amounts.count == 4 })
    let reports = ComparedReports(
      .before, Self.report(example), Self.report(example), firstPurchase: .distantPast)
    let lines = text(of: reports, width: 100, glyphs: .unicode).split(separator: "\n")
    let own = lines.filter { $0.hasPrefix("  MRR ") && !$0.contains("MRR,") }
    #expect(own.count == 5 && own.first?.hasPrefix("  MRR ≈") == true, "\(own)")
    // Products only have the total, since there may be many.
    #expect(lines.filter { $0.hasPrefix("  MRR, monthly") }.count == 1)
  }

  @Test func areComparedWithASingleCurrency() throws {
    let both = Self.report(
      ReportingCurrencyCase(name: "two", amounts: [("EUR", 1, 1), ("USD", 5, 4)], cell: "", figure: []))
    let one = Self.report(ReportingCurrencyCase(name: "one", amounts: [("EUR", 3, 3)], cell: "", figure: []))
    for (this, that, figures) in [(both, one, "EUR 5.00 EUR 3.00"), (one, both, "EUR 3.00 EUR 5.00")] {
      let compared = ComparedReports(.before, this, that, firstPurchase: .distantPast)
      let words = text(of: compared, width: 100, glyphs: .unicode).split(separator: "\n").map {
        $0.split(separator: " ").joined(separator: " ")
      }
      let whole = try #require(words.first { $0.hasPrefix("MRR \u{2248} ") })
      #expect(whole.hasPrefix("MRR \u{2248} \(figures)"), "\(whole)")
    }
  }

  @Test func sortingIgnoresTheApproximationSign() throws {
    let first = try #require(ReportingCurrencyCase.all.first)
    #expect(text(of: Self.report(first), width: 100, glyphs: .ascii).contains("~ EUR 1,000.00"))
    #expect(CellValue("≈ EUR 9.00") < CellValue("≈ EUR 1,000.00"))
    #expect(CellValue("≈ EUR 9.00") < CellValue("USD 1.00"))
  }
}
