import Dashboard
import Screen
import Subscriptions
import Testing

/// Subscribers of one currency at the start of the window, and their changes.
private struct Paying: Sendable {
  var currency: String
  /// Units per month.
  var price: Int64
  var start: Int64
  var new: Int64 = 0
  var lost: Int64 = 0
  /// EUR per unit of the currency.
  var rate: Int64?
  var product: String?
}

struct HeadlineCase: CustomTestStringConvertible, Sendable {
  var name: String
  fileprivate var paying: [Paying]
  var reporting: String?
  var sentence: String
  var tile: [String]
  /// Headline at 80 columns, if different.
  var narrow: String?
  var testDescription: String { name }

  static let all = [
    HeadlineCase(
      name: "more dollars are paid by more people than yen",
      paying: [
        Paying(currency: "JPY", price: 1500, start: 400, lost: 8),
        Paying(currency: "USD", price: 10, start: 800, new: 40, lost: 28),
      ],
      sentence: "MRR +1.5 % in 28 d: USD +400.00 from 40 new on USD · USD, 812 of 1,204 subscriptions",
      tile: ["USD 8,120.00", "▲ 1.5 % 812 of 1,204"]),
    HeadlineCase(
      name: "as many pay in each",
      paying: [
        Paying(currency: "USD", price: 10, start: 5, lost: 1), Paying(currency: "EUR", price: 10, start: 4),
      ],
      sentence: "MRR -20 % in 28 d: USD -10.00 from 1 lost on USD, cancelled · USD, 4 of 8 subscriptions",
      tile: ["USD 40.00", "▼ 20 % 4 of 8"]),
    HeadlineCase(
      name: "alike in both, by their names",
      paying: [
        Paying(currency: "USD", price: 10, start: 4),
        Paying(currency: "EUR", price: 10, start: 4, new: 1, lost: 1),
      ],
      sentence: "MRR unchanged in 28 d · EUR, 4 of 8 subscriptions",
      tile: ["EUR 40.00", "= 0.0 % 4 of 8"]),
    HeadlineCase(
      name: "the largest went against the whole",
      paying: [
        Paying(currency: "USD", price: 10, start: 200, new: 2, lost: 18, product: "monthly"),
        Paying(currency: "USD", price: 10, start: 100, new: 12, product: "yearly"),
        Paying(currency: "USD", price: 10, start: 0, new: 8, product: "weekly"),
      ],
      sentence: "MRR +1.3 % in 28 d: USD +120.00 from 12 new on yearly · "
        + "despite USD -180.00 from 18 lost on monthly, cancelled",
      tile: ["USD 3,040.00", "▲ 1.3 %"],
      narrow: "MRR +1.3 % in 28 d: USD +120.00 from 12 new on yearly"),
    HeadlineCase(
      name: "the largest went with the whole, if little more than what went against it",
      paying: [
        Paying(currency: "USD", price: 10, start: 100, new: 12, product: "monthly"),
        Paying(currency: "USD", price: 10, start: 100, lost: 11, product: "yearly"),
      ],
      sentence: "MRR +0.5 % in 28 d: USD +120.00 from 12 new on monthly",
      tile: ["USD 2,010.00", "▲ 0.5 %"]),
    HeadlineCase(
      name: "one currency",
      paying: [Paying(currency: "USD", price: 10, start: 100, new: 2, lost: 5)],
      sentence: "MRR -3.0 % in 28 d: USD -50.00 from 5 lost on USD, cancelled",
      tile: ["USD 970.00", "▼ 3.0 %"]),
    HeadlineCase(
      name: "nothing at the start",
      paying: [Paying(currency: "USD", price: 10, start: 0, new: 3)],
      sentence: "MRR USD +30.00 in 28 d: USD +30.00 from 3 new on USD", tile: ["USD 30.00", "▲ new"]),
    HeadlineCase(
      name: "nothing at the end",
      paying: [Paying(currency: "USD", price: 10, start: 3, lost: 3)],
      sentence: "MRR -100 % in 28 d: USD -30.00 from 3 lost on USD, cancelled", tile: ["none"]),
    HeadlineCase(
      name: "many times as much",
      paying: [Paying(currency: "USD", price: 10, start: 2, new: 24)],
      sentence: "MRR 13× in 28 d: USD +240.00 from 24 new on USD", tile: ["USD 260.00", "▲ 13×"]),
    HeadlineCase(
      name: "less than a share can say",
      paying: [Paying(currency: "USD", price: 1, start: 5000, new: 1)],
      sentence: "MRR USD +1.00 in 28 d: USD +1.00 from 1 new on USD", tile: ["USD 5,001.00", "= 0.0 %"]),
    HeadlineCase(
      name: "a reporting currency says it of all",
      paying: [
        Paying(currency: "JPY", price: 200, start: 4, lost: 1, rate: 2),
        Paying(currency: "USD", price: 10, start: 8, rate: 1),
      ], reporting: "EUR",
      sentence: "MRR -24 % in 28 d: ≈ EUR -400.00 from 1 lost on JPY, cancelled",
      tile: ["≈ EUR 1,280.00", "▼ 24 %"]),
    HeadlineCase(
      name: "some have no rate",
      paying: [
        Paying(currency: "TWD", price: 300, start: 9),
        Paying(currency: "USD", price: 10, start: 4, new: 1, rate: 1),
      ], reporting: "EUR",
      sentence: "MRR +25 % in 28 d: ≈ EUR +10.00 from 1 new on USD · EUR, 5 of 14 subscriptions",
      tile: ["≈ EUR 50.00", "▲ 25 % 5 of 14"]),
    HeadlineCase(
      name: "nothing has a rate",
      paying: [Paying(currency: "TWD", price: 300, start: 2, lost: 1)], reporting: "EUR",
      sentence: "MRR -50 % in 28 d: TWD -300.00 from 1 lost on TWD, cancelled",
      tile: ["TWD 300.00", "▼ 50 %"]),
  ]
}

@Suite("What the overview says of revenue first") struct HeadlineTests {
  private static let now = Sample.now

  private static func position(_ paying: Paying, _ state: LineState) -> PositionClass {
    let isOut = state == .expired
    return PositionClass(
      environment: .production, state: state, product: ProductID(paying.product ?? paying.currency),
      kind: .standard,
      reason: isOut ? .intent(.customerCancelled) : nil,
      currency: isOut ? nil : CurrencyCode(paying.currency))
  }

  private static func oneCurrency() throws -> Report {
    report(try #require(HeadlineCase.all.first { $0.name == "one currency" }))
  }

  private static func report(_ example: HeadlineCase) -> Report {
    var question = Question(panel: .overview, at: now)
    question.reportingCurrency = example.reporting.map { CurrencyCode($0) }
    var earlier: [ChangeClass: ChangeSum] = [:]
    var changes: [ChangeClass: ChangeSum] = [:]
    for paying in example.paying {
      func converted(_ lines: Int64) -> Converted {
        paying.rate.map { Converted(micros: Int128(lines * paying.price * $0 * 1_000_000)) }
          ?? Converted(unconverted: lines)
      }
      func came(_ lines: Int64) -> ChangeSum {
        ChangeSum(
          lines: lines, monthlyAfter: Int128(lines * paying.price * 1_000_000),
          convertedAfter: converted(lines))
      }
      let active = position(paying, .active)
      if paying.start > 0 { earlier[ChangeClass(old: nil, new: active, flow: nil)] = came(paying.start) }
      if paying.new > 0 { changes[ChangeClass(old: nil, new: active, flow: .new)] = came(paying.new) }
      if paying.lost > 0 {
        changes[ChangeClass(old: active, new: position(paying, .expired), flow: .lost)] = ChangeSum(
          lines: paying.lost, monthlyBefore: Int128(paying.lost * paying.price * 1_000_000),
          convertedBefore: converted(paying.lost))
      }
    }
    return report(LedgerSums(earlier: earlier, changes: changes), question)
  }

  private static func report(_ sums: LedgerSums, _ question: Question) -> Report {
    var figures = FigureValues(sums, question)
    for path in ["billing_retry", "lost_paid", "lost_trial"] { figures[path] = 0 }
    figures[amounts: "at_risk_mrr.billing_retry"] = Amounts()
    figures[share: "churn_rate"] = nil
    figures[parts: "by_intent"] = []
    figures.addMovement(of: sums, question)
    var trend = Trend(of: question.window)
    // A series starts at a whole hour, at which MRR differs from that at the window's start.
    for total in figures[amounts: "mrr"].totals {
      trend.follow("mrr", to: total.micros, from: 1, total.currency)
    }
    if let total = figures[amounts: "mrr"].inReportingCurrency {
      trend.follow("mrr", to: total.micros, from: 1)
    }
    var trust = Trust()
    (trust.receipts, trust.lines) = (1, 1)
    return Report(answering: question, trust: trust, data: figures, trend: trend)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ").filter { $0.allSatisfy { !"▁▂▃▄▅▆▇█".contains($0) } }.joined(separator: " ")
    }
  }

  /// A change by exchange rates has no rows behind it.
  @Test func exchangeRatesAreNamedAsSuch() {
    var question = Question(panel: .overview, at: Self.now)
    question.reportingCurrency = CurrencyCode("EUR")
    let active = Self.position(Paying(currency: "USD", price: 10, start: 4), .active)
    func sums(_ before: Int128, _ after: Int128) -> LedgerSums {
      let came = ChangeSum(
        lines: 4, monthlyAfter: 40_000_000, convertedAfter: Converted(micros: before * 1_000_000))
      let renewed = ChangeSum(
        convertedBefore: Converted(micros: before * 1_000_000),
        convertedAfter: Converted(micros: after * 1_000_000))
      return LedgerSums(
        earlier: [ChangeClass(old: nil, new: active, flow: nil): came],
        changes: [ChangeClass(old: active, new: active, flow: nil): renewed])
    }
    for (after, sentence) in [
      (Int128(44), "MRR +10 % in 28 d: EUR +4.00 from exchange rates of renewals"),
      (36, "MRR -10 % in 28 d: EUR -4.00 from exchange rates of renewals"), (40, "MRR unchanged in 28 d"),
    ] {
      let lines = Self.lines(text(of: Self.report(sums(40, after), question), width: 120))
      #expect(lines.first { $0.hasPrefix("MRR ") } == sentence)
      #expect(lines.contains { $0.hasPrefix("Repriced") } == false)
    }
  }

  /// The trend refers to the churn rate, which fell, and not to the number lost, which rose.
  @Test(arguments: [0.074, nil]) func theChurnTrendRefersToTheRate(_ rateBefore: Double?) throws {
    var report = try Self.oneCurrency()
    (report.data["lost_paid"], report.data[share: "churn_rate"]) = (7, 0.07)
    report.trend.add(3, to: "lost_paid", at: nil)
    report.trend.add(7, to: "lost_paid", at: 3)
    report.trend.churnRateBefore = rateBefore
    var bench = Bench(200, 60)
    bench.report = { [report] _ in report }
    bench.send(.opened)
    #expect(bench.screen.contains("Churn in 28 d") && !bench.screen.contains("7 lost "))
    let tile = try #require(bench.canvas.text().first { $0.contains("7 lost: 5 paying, 2 in retry") })
    #expect(tile.contains("▼ 0.4 pt") == (rateBefore != nil) && !tile.contains("133 %"))
  }

  @Test(
    "names what is at risk in a few currencies, and says of many how many they are", arguments: [3, 4])
  func atRisk(_ count: Int) throws {
    var report = try Self.oneCurrency()
    report.data["billing_retry"] = count
    for currency in ["EUR", "GBP", "JPY", "USD"].prefix(count) {
      report.data[amounts: "at_risk_mrr.billing_retry"].add(
        Money(micros: 10_000_000, currency: CurrencyCode(currency)))
    }
    let lines = Self.lines(text(of: report, width: 120))
    let money = count == 3 ? "EUR 10.00, GBP 10.00, JPY 10" : "money in 4 currencies"
    #expect(lines.contains { $0.contains("\(count) in billing retry, \(money) a month at risk") }, "\(lines)")
  }

  /// Sandbox periods last minutes, so their revenue changes are not reported first.
  @Test(
    arguments: [
      (EnvironmentScope.all, "MRR including sandbox test purchases"),
      (.sandbox, "MRR of sandbox test purchases"), (.production, nil),
    ] as [(EnvironmentScope, String?)])
  func sandboxDoesNotLead(_ scope: EnvironmentScope, _ words: String?) throws {
    var report = try Self.oneCurrency()
    report.scope.environment = scope
    var bench = Bench(environment: scope)
    bench.report = { [report] _ in report }
    bench.send(.opened)
    let screen = bench.screen
    #expect(screen.contains("5 lost on USD") == (words == nil), "\(screen)")
    #expect(screen.contains("whose periods last minutes") == (words != nil), "\(screen)")
    if let words { #expect(screen.contains(words), "\(screen)") }
  }

  /// A price signed in the sandbox has no period unless the catalog has one.
  @Test(arguments: [(0, "none"), (1, "unknown")]) func withoutAnAmount(_ paid: Int, _ words: String) throws {
    var report = try Self.oneCurrency()
    (report.data["active_paid"], report.data[amounts: "mrr"]) = (paid, Amounts())
    let tiles = text(of: report, width: 120).split(separator: "\n").drop { $0 != "MRR" }
    #expect(tiles.dropFirst().first?.hasPrefix("  \(words)") == true)
  }

  @Test(arguments: HeadlineCase.all) func agree(_ example: HeadlineCase) {
    let lines = Self.lines(text(of: Self.report(example), width: 120))
    #expect(lines.first { $0.hasPrefix("MRR ") } == example.sentence)
    if let narrow = example.narrow {
      let lines = Self.lines(text(of: Self.report(example), width: 80))
      #expect(lines.first { $0.hasPrefix("MRR ") } == narrow)
    }
    let tile = lines.drop { $0 != "MRR" }.dropFirst().prefix { !$0.isEmpty }
    #expect(Array(tile) == example.tile)
    guard let change = example.tile.last?.firstRange(of: "%") else { return }
    let card = lines.drop { $0 != "Monthly revenue now" }.dropFirst().prefix { !$0.isEmpty }
    let words = (example.tile.first ?? "") + " " + (example.tile.last?[..<change.upperBound] ?? "")
    #expect(card.contains { $0.hasSuffix(words) }, "\(card)")
  }
}
