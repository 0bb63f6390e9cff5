import Subscriptions
import TestSupport
import Testing

@Suite struct AlertConditionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let panel: Panel
    let path: String
    let days: Int?
    let product: String?
    let relation: AlertCondition.Relation
    let limit: AlertCondition.Limit
    var testDescription: String { text }

    init(
      _ text: String, _ panel: Panel, _ path: String, _ relation: AlertCondition.Relation,
      _ limit: AlertCondition.Limit, days: Int? = nil, product: String? = nil
    ) {
      (self.text, self.panel, self.path, self.relation, self.limit) = (text, panel, path, relation, limit)
      (self.days, self.product) = (days, product)
    }
  }

  private static func euros(_ micros: Int64) -> AlertCondition.Limit {
    .fixed(.amount(Money(micros: micros, currency: CurrencyCode("EUR"))))
  }

  static let cases = [
    Case("churn_rate > 6%", .churn, "churn_rate", .above, .fixed(.share(0.06))),
    Case("churn_rate>=0.06", .churn, "churn_rate", .atLeast, .fixed(.share(0.06))),
    Case(
      "billing_retry.mrr_at_risk > 500 EUR", .billingRetry, "at_risk_mrr.billing_retry", .above,
      euros(500_000_000)),
    Case(
      "billing-retry.at_risk_mrr.grace <= EUR 1.000001", .billingRetry, "at_risk_mrr.grace", .atMost,
      euros(1_000_001)),
    Case(
      "billing_retry.mrr_at_risk > 500", .billingRetry, "at_risk_mrr.billing_retry", .above,
      .amount(micros: 500_000_000)),
    Case("sales today<0.5", .overview, "sales.amount", .below, .amount(micros: 500_000), days: 1),
    Case("fresh < 95%", .active, "trust.fresh_24h", .below, .fixed(.share(0.95))),
    Case("refunds today > 3 × usual", .refunds, "count", .above, .usual(times: 3), days: 1),
    Case("refunds today>3x usual", .refunds, "count", .above, .usual(times: 3), days: 1),
    Case("refunds in 2w >= 1.5 x usual", .refunds, "count", .atLeast, .usual(times: 1.5), days: 14),
    Case(
      "new in 7d product com.example.pro < 50% below usual", .movement, "subscribers.new", .below,
      .usual(times: 0.5), days: 7, product: "com.example.pro"),
    Case("mrr product p < usual", .active, "mrr", .below, .usual(times: 1), product: "p"),
    Case("lost > 25% above usual", .churn, "lost_paid", .above, .usual(times: 1.25)),
    Case(
      "active.by_product.com.example.pro.paid < 100", .active, "by_product.com.example.pro.paid", .below,
      .fixed(.count(100))),
    Case(
      "active.by_product.com.example.pro.mrr < 100 EUR", .active, "by_product.com.example.pro.mrr", .below,
      euros(100_000_000)),
    Case("churn.by_intent.3.paid > 5", .churn, "by_intent.3.paid", .above, .fixed(.count(5))),
    Case("churn.renewals.P1M.lost > 5", .churn, "renewals.P1M.lost", .above, .fixed(.count(5))),
    Case("overview.due.7.lines > 5", .overview, "due.7.lines", .above, .fixed(.count(5))),
    Case("movement.mrr.lost_micros < 5 EUR", .movement, "mrr.lost", .below, euros(5_000_000)),
    Case(
      "upgrades.prorated_refund today > 20 EUR", .upgrades, "prorated_refund", .above, euros(20_000_000),
      days: 1),
    Case(
      "offers.price_increases.pending > 10", .offers, "price_increases.pending", .above, .fixed(.count(10))),
    Case("recovery.curve.7.rate < 40%", .recovery, "curve.7.rate", .below, .fixed(.share(0.4))),
  ]

  @Test(arguments: cases) func isRead(_ one: Case) throws {
    let condition = try AlertCondition(parsing: one.text)
    #expect(condition.figure.panel == one.panel)
    #expect(condition.figure.path == one.path)
    #expect(condition.days == one.days)
    #expect(condition.product == one.product.map { ProductID($0) })
    #expect(condition.relation == one.relation)
    switch (condition.limit, one.limit) {
    case (.usual(let times), .usual(let expected)): #expect(abs(times - expected) < 1e-9)
    case (.fixed(let value), .fixed(let expected)):
      #expect(value.kind == expected.kind && value.currency == expected.currency)
      #expect(abs(value.number - expected.number) < 1e-9)
    case (.amount(let micros), .amount(let expected)): #expect(micros == expected)
    default: Issue.record("\(condition.limit) is not \(one.limit)")
    }
    #expect(try AlertCondition(parsing: condition.text) == condition)
  }

  @Test(
    arguments: [
      ("", "the condition is empty"),
      ("   ", "the condition is empty"), ("nosuch > 5", "unknown figure \"nosuch\""),
      ("churn.nosuch > 5", "unknown figure \"churn.nosuch\""), ("nosuch.paid > 5", "unknown figure"),
      ("active.by_product.paid > 5", "unknown figure"), ("active.by_product > 5", "unknown figure"),
      ("movement.mrr.nosuch > 5 EUR", "unknown figure"),
      ("active.mrr.part > 5 EUR", "unknown figure"),
      ("churn_rate", "the comparison is missing"), ("churn_rate 6%", "the comparison is missing"),
      ("churn_rate above 6%", "the comparison is missing"), ("churn_rate = 6%", "\"=\" is not a comparison"),
      ("churn_rate => 6%", "\"=\" is not a comparison"), ("churn_rate ≥ 6%", "\"≥\" is not a comparison"),
      ("churn_rate >", "the value is missing; write a share such as 6%"),
      ("churn_rate > 6", "\"6\" is not a valid value of churn_rate, which is a share"),
      ("churn_rate > -6%", "\"-6%\" is not a valid value of churn_rate"),
      ("churn_rate > nan", "\"nan\" is not a valid value"),
      ("churn_rate > 6% 7%", "unexpected \"7%\""), ("churn_rate > 6%%", "\"6%%\" is not a valid value"),
      (
        "lost > 6%",
        "\"6%\" is not a valid value of lost, which is a number; write a number such as 500, or 3x usual"
      ),
      ("lost > 0x10", "\"0x10\" is not a valid value"),
      ("lost > 6 EUR", "\"6 EUR\" is not a valid value of lost, which is a number"),
      ("lost > 1e9", "\"1e9\" is not a valid value"),
      ("mrr > 0.1234567", "\"0.1234567\" is not a valid value of mrr"),
      ("mrr > 5%", "\"5%\" is not a valid value of mrr"),
      ("mrr > 500 euro", "mrr is an amount, but the value has no currency"),
      ("mrr >", "the value is missing"),
      ("mrr > 0.1234567 EUR", "\"0.1234567 EUR\" is not a valid value"),
      ("mrr > 5% EUR", "\"5% EUR\" is not a valid value"),
      ("mrr > EUR", "\"EUR\" is not a valid value of mrr, which is an amount"),
      ("mrr > EUR 5%", "\"EUR 5%\" is not a valid value"),
      ("refunds today today > 5", "\"today\" is not allowed here"),
      ("refunds in 7d in 7d > 5", "\"in\" is not allowed here"),
      ("refunds in > 5", "no number of days or weeks after"),
      ("refunds in 0d > 5", "no number of days or weeks after"),
      ("refunds in 7h > 5", "no number of days or weeks after"),
      ("refunds product > 5", "no id after \"product\""),
      ("fresh product p < 95%", "fresh covers the whole store"), ("refunds > 3 ×", "unknown form of usual"),
      ("refunds > 3 × often", "unknown form of usual"), ("refunds > 3x often", "unknown form of usual"),
      ("refunds > 20% above", "unknown form of usual"), ("refunds > 20% over usual", "unknown form of usual"),
      ("refunds > 20 above usual", "unknown form of usual"), ("refunds > 3 usual", "unknown form of usual"),
      ("refunds > 120% below usual", "unknown form of usual"),
      ("refunds > usual 3", "unexpected \"3\""),
      ("refunds > 3% x usual", "unknown form of usual"), ("trust.fresh_24h < 5%", "unknown figure"),
    ])
  func isRefused(_ text: String, _ says: String) throws {
    let problem = try #require(throws: AlertProblem.self) { try AlertCondition(parsing: text) }
    #expect(problem.sentence.hasPrefix(says), "\(problem.sentence)")
  }

  @Test(arguments: Panel.allCases) func everyFigureOfHelpCanBeWatched(_ panel: Panel) throws {
    for path in AlertFigure.paths(of: panel) {
      let figure = try #require(AlertFigure("\(panel.rawValue).\(path)"))
      #expect(figure.panel == panel && figure.path == path)
    }
    #expect(panel == .events || !AlertFigure.paths(of: panel).isEmpty || panel == .cohorts)
  }

  @Test(arguments: AlertFigure.aliases) func everyAliasNamesAFigure(_ alias: AlertFigure.Alias) throws {
    let figure = try #require(AlertFigure(alias.name))
    #expect(figure.words == alias.words)
  }
}
