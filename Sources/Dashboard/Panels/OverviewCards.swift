import Screen
import Subscriptions

/// Cards of the overview that summarize other panels.
struct OverviewCards {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }
  private var trend: Trend { report.trend }

  var blocks: [Block] {
    [
      subscribers, lost, trials, revenue, coming, sales,
      StorefrontTable.sales(figures, in: report.window).block(in: formatter),
    ].compactMap(\.self)
  }

  private var subscribers: Block {
    let unknown = figures["auto_renew_unknown"]
    return Block(
      "Subscribers now",
      .figures(
        [
          figures.count("All", "active_paid", Style(.good, .bold)), figures.part("renewing", "renewing"),
          figures.part("renewal off", "auto_renew_off", .warn),
        ] + (unknown > 0 ? [figures.part("unknown", "auto_renew_unknown")] : [])
          + [
            figures.part("in grace", "grace", .warn).following(report, in: glyphs),
            figures.count("Billing retry", "billing_retry", Style(.bad, .bold)).following(report, in: glyphs),
            figures.count("Not confirmed yet", "overdue", Style(.warn, .bold)),
          ]), minimumColumns: 38)
  }

  /// Losses by reason, including those from billing retry. The parts add up to the total.
  private var lost: Block {
    Block(
      StyledText("Lost \(report.windowText)"),
      .figures(
        [
          figures.count("Paid or in retry", "lost_paid", Style(.bad, .bold)).following(report, in: glyphs)
            .drillDown([("lost_paid", 1)] + byIntent.map { ("\($0.intentPath).paid", $0["paid"]) })
        ] + LostParts(figures, refunded: refunded).figures(refundedOf: .churn)), minimumColumns: 36)
  }

  private var byIntent: [FigureValues] { figures[parts: "by_intent"] }
  private var refunded: Int { figures["lost_paid"] - byIntent.reduce(0) { $0 + $1["paid"] } }

  private var trials: Block {
    Block(
      StyledText("Trials \(report.windowText)"),
      .figures([
        figures.count("Ended", "trials.ended"),
        figures.part("converted", "trials.converted", .good).following(report, in: glyphs),
        figures.part("converted late", "trials.converted_late"),
        Figure(
          "conversion", .share(figures["trials.converted"], of: figures["trials.ended"], .text), isPart: true,
          opens: "trials.converted"
        )
        .following(trend.share("trials.converted", of: "trials.ended", rise: .good, in: glyphs)),
        figures.count("Lost trials", "lost_trial").following(report, in: glyphs)
          .drillDown([("lost_trial", 1)] + byIntent.map { ("\($0.intentPath).trial", $0["trial"]) }),
      ]), minimumColumns: 34)
  }

  private var revenue: Block {
    let named = [
      ("renewing", "renewing", "renewing"), ("renewal off", "auto_renew_off", "auto_renew_off"),
      ("unknown", "auto_renew_unknown", "auto_renew_unknown"), ("in grace", "grace", "at_risk_mrr.grace"),
    ].map { ($0, figures[amounts: "mrr_parts.\($1)"], $2) }
    return Block(
      "Monthly revenue now",
      .figures(
        Figure.money("MRR", figures[amounts: "mrr"], of: figures["active_paid"], opens: "mrr") {
          trend.state("mrr", $0, rise: .good, ends: figures.movement?["mrr"]?.values(in: $0), in: glyphs)
        }
          + named.filter { !$0.1.isEmpty }.flatMap {
            Figure.money($0.0, $0.1, of: 1, isPart: true, opens: $0.2)
          }
          + figures.money("In retry, at risk", "at_risk_mrr.billing_retry", of: figures["billing_retry"])
      ),
      minimumColumns: 42)
  }

  private var coming: Block {
    let due = figures[parts: "due"].flatMap { due -> [Figure] in
      let within = AgeText.of(Int64(due["days"]) * Milliseconds.day)
      let path = "due.\(due["days"])"
      return [
        .count("Due within \(within)", due["lines"]).drillDown(
          [("\(path).lines", 1)] + due.counted(["renewing", "unpriced"]).map { ("\(path).\($0)", $1) })
      ]
        + Figure.money(
          "expected", due[amounts: "expected"], of: due["renewing"], isPart: true, opens: "\(path).renewing")
    }
    return Block("Renewals", .figures(due + renewed), minimumColumns: 39)
  }

  private var renewed: [Figure] {
    let all = figures[parts: "renewals"]
    let (renewed, due) = (all.reduce(0) { $0 + $1["renewed"] }, all.reduce(0) { $0 + $1["due"] })
    let whole = Figure("Renewed", .share(renewed, of: due, .text))
      .drillDown(all.map { ("\($0.renewalPath).due", $0["due"]) })
    return (all.isEmpty ? [] : [whole])
      + all.sorted { $0["due"] > $1["due"] }.map { renewals in
        let path = renewals.renewalPath
        var figure = Figure(
          renewals.period?.words ?? "period unknown",
          .share(renewals["renewed"], of: renewals["due"], .text), isPart: true)
        figure.drillDown = .rows(renewals.renewalBreakdown)
        return figure.following(
          trend.share("\(path).renewed", of: "\(path).due", rise: .good, in: glyphs))
      }
  }

  private var sales: Block {
    let transactions = figures["sales.transactions"]
    return Block(
      StyledText("Money \(report.windowText)"),
      .figures(
        figures.money("Sold", "sales.amount", of: transactions, in: report, glyphs)
          + figures.money("Proceeds", "sales.proceeds", of: transactions)
          + [purchases, cheaper, returned, refunds]
          + figures.money(
            "at price", "refund_amount", of: figures["refunds"], isPart: true, in: report, glyphs)
          + figures.money("Upgrade credit", "prorated_refund", of: 0, in: report, glyphs)),
      minimumColumns: 40)
  }

  private var purchases: Figure {
    figures.part("purchases", "sales.transactions").drillDown(
      figures.counted([
        "sales.transactions", "sales.unpriced", "arrivals.initial", "arrivals.renewal", "arrivals.recovery",
        "arrivals.unattributed", "arrivals.reactivation",
      ]))
  }

  /// Purchases with a commission of 15 % instead of 30 %.
  private var cheaper: Figure {
    let parts = figures.counted(["sales.after_one_year", "sales.small_business"])
    return Figure.part("of them at 15 %", parts.reduce(0) { $0 + $1.1 }).drillDown(parts)
  }

  private var returned: Figure {
    figures.part("of them refunded since", "cohort.refunded")
      .drillDown(figures.counted(["cohort.refunded", "cohort.paid_transactions"]))
  }

  /// Refunds issued in the window, regardless of the date of purchase.
  private var refunds: Figure {
    figures.count("Refunds issued", "refunds", Style(.bad, .bold)).following(report, in: glyphs)
  }
}
