import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// The rows behind a figure are as many, and add up to as much, as the figure.
@Suite struct TotalsTests {
  private static let worlds = LivedWorld.Kind.allCases.flatMap { kind in
    seeds(30, sanitized: 3).map { ($0, kind) }
  }

  /// Figures of amounts, and the lists that they open.
  private static let lists: [Panel: [(amount: String, list: String)]] = [
    .overview: [
      ("mrr", "active_paid"), ("at_risk_mrr.billing_retry", "billing_retry"), ("mrr_parts.grace", "grace"),
      ("mrr_parts.renewing", "renewing"), ("refund_amount", "refunds"),
      ("sales.amount", "sales.transactions"),
    ],
    .active: [("mrr", "paid"), ("mrr_parts.grace", "grace"), ("mrr_parts.auto_renew_off", "auto_renew_off")],
    .billingRetry: [("at_risk_mrr.billing_retry", "lines"), ("at_risk_mrr.grace", "grace.lines")],
    .recovery: ["entered", "recovered", "still_retrying", "lost"].map { ("mrr.\($0)", $0) },
    .offers: [("opt_outs.at_stake_mrr", "opt_outs.at_stake")], .refunds: [("amount", "count")],
  ]

  @Test(arguments: worlds) func equalTheirFigures(_ seed: UInt64, _ kind: LivedWorld.Kind) throws {
    let lived = try LivedWorld(seed, kind)
    var random = Seeded(seed &+ 42)
    for panel in Panel.allCases where panel != .cohorts && panel != .events {
      let t = random.pick(lived.last, lived.days.randomElement(using: &random) ?? lived.last)
      var question = Question(
        panel: panel, at: t, windowDays: random.pick(7, 28, 90, 365), environment: .all, limit: 100_000)
      if kind == .converted { question.reportingCurrency = LivedWorld.reportingCurrency(seed) }
      let data = try lived.store.report(question).data
      func rows(_ figure: String) throws -> FigureRows {
        let rows = try lived.store.rows(behind: question, figure: figure)
        #expect(rows.rows.count == rows.count)
        #expect(known(rows.amounts) == known(Amounts(rows.rows.compactMap(\.amount))), "\(figure)")
        return rows
      }
      for path in panel.figureNames where !path.contains("*") {
        let rows = try rows(path)
        switch data[value: path] {
        case .count(let count)?: #expect(rows.count == count, "\(path) \(question)")
        case .amounts(let amounts)? where path != "sales.proceeds":
          #expect(known(rows.amounts) == known(amounts), "\(path) \(question)")
        default: break
        }
      }
      for (amount, list) in Self.lists[panel] ?? [] {
        #expect(try known(rows(list).amounts) == known(data[amounts: amount]), "\(list) \(question)")
      }
      switch panel {
      case .overview: try expectForecasts(data, question, rows)
      case .billingRetry:
        let listed = known(Amounts(data.unpaid.compactMap(\.mrr)))
        #expect(listed == known(data[amounts: "at_risk_mrr.billing_retry"]), "\(question)")
      case .movement:
        let group = try #require(data.movement?["mrr"])
        for (place, figure) in group.figures.enumerated() where !figure.isOfConversion {
          let sums = Dictionary(group.rows.map { ($0.currency, $0.values[place]) }) { $0 + $1 }
          let found = try known(rows("mrr.\(figure.name)").amounts)
          #expect(found == sums.filter { $0.value != 0 }, "\(figure.name) \(question)")
          guard let flow = Flow(rawValue: figure.name), ![.expansion, .contraction, .repriced].contains(flow)
          else { continue }
          #expect(
            try known(rows("subscribers.\(figure.name)").amounts) == found, "\(figure.name) \(question)")
        }
      default: break
      }
    }
  }

  private func expectForecasts(
    _ data: FigureValues, _ question: Question, _ rows: (String) throws -> FigureRows
  ) throws {
    for (horizon, due) in zip(DueHorizon.allCases, data[parts: "due"]) {
      for name in ["lines", "renewing", "unpriced"] {
        let found = try rows("due.\(horizon.days).\(name)")
        let days = try #require(found.forecast).days(after: question.at, horizon) { $0.dateText }
        let expected = Amounts(days.flatMap(\.expected.totals))
        #expect(found.count == due[name] && days.reduce(0) { $0 + $1.lines } == due[name], "\(question)")
        #expect(known(expected) == known(found.amounts), "\(name) \(question)")
        if name != "unpriced" { #expect(known(expected) == known(due[amounts: "expected"]), "\(question)") }
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
