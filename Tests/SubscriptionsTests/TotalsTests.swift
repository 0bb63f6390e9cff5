import Subscriptions
import TestSupport
import Testing

/// The rows behind a figure of money add up to the figure.
@Suite struct TotalsTests {
  private static let lists: [(Panel, [(amount: String, list: String)])] = [
    (
      .overview,
      [
        ("mrr", "active_paid"), ("at_risk_mrr.billing_retry", "billing_retry"), ("mrr_parts.grace", "grace"),
        ("mrr_parts.renewing", "renewing"), ("refund_amount", "refunds"),
        ("sales.amount", "sales.transactions"),
      ]
    ),
    (
      .active,
      [("mrr", "paid"), ("mrr_parts.grace", "grace"), ("mrr_parts.auto_renew_off", "auto_renew_off")]
    ),
    (.billingRetry, [("at_risk_mrr.billing_retry", "lines"), ("at_risk_mrr.grace", "grace.lines")]),
    (.recovery, ["entered", "recovered", "still_retrying", "lost"].map { ("mrr.\($0)", $0) }),
    (.offers, [("opt_outs.at_stake_mrr", "opt_outs.at_stake")]), (.refunds, [("amount", "count")]),
  ]

  @Test(arguments: seeds(60)) func equalTheirFigures(_ seed: UInt64) {
    let population = EvidenceLedger.generated(seed)
    for (panel, lists) in Self.lists {
      let question = Question(panel: panel, at: day(60, hours: 5), windowDays: 28, limit: .max)
      let data = population.report(question).data
      for (amount, list) in lists {
        let rows = population.rows(question, figure: list)
        #expect(known(rows.amounts) == known(data[amounts: amount]), "\(list) of \(panel)")
      }
      guard panel == .billingRetry else { continue }
      let listed = known(Amounts(data.unpaid.compactMap(\.mrr)))
      #expect(listed == known(data[amounts: "at_risk_mrr.billing_retry"]))
    }
  }

  @Test(arguments: seeds(60)) func forecastsAddUpToTheirDays(_ seed: UInt64) throws {
    let population = EvidenceLedger.generated(seed)
    let question = Question(panel: .overview, at: day(60, hours: 5), limit: .max)
    for (horizon, due) in zip(DueHorizon.allCases, population.report(question).data[parts: "due"]) {
      for name in ["lines", "renewing", "unpriced"] {
        let found = population.rows(question, figure: "due.\(horizon.days).\(name)")
        let days = try #require(found.forecast).days(after: question.at, horizon) { $0.dateText }
        let expected = Amounts(days.flatMap(\.expected.totals))
        #expect(found.count == due[name] && days.reduce(0) { $0 + $1.lines } == due[name])
        #expect(known(expected) == known(found.amounts), "\(name)")
        if name != "unpriced" { #expect(known(expected) == known(due[amounts: "expected"])) }
        #expect(days.map(\.name) == days.map(\.name).sorted() && days.count > horizon.days)
        #expect(found.rows.map(\.at) == found.rows.map(\.at).sorted(), "what renews next comes first")
        let end = question.at + Int64(horizon.days).days
        #expect(found.rows.allSatisfy { $0.at > question.at && $0.at <= end })
      }
    }
  }

  private func known(_ amounts: Amounts?) -> [CurrencyCode?: Int128] {
    Dictionary((amounts?.totals ?? []).filter { $0.micros != 0 }.map { ($0.currency, $0.micros) }) { $0 + $1 }
  }
}
