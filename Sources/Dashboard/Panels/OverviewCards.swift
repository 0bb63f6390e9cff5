import Screen
import Subscriptions

/// Cards of the overview that summarize other panels.
extension PanelContent {
  func overviewCard(_ box: OverviewBox) -> Block? {
    switch box {
    case .subscribers:
      card("Subscribers \(now)", 38) {
        count("All", "active_paid", Style(.good, .bold))
        part("auto-renew on", "renewing")
        part("auto-renew off", "auto_renew_off", .warn)
        if figures["auto_renew_unknown"] > 0 { part("auto-renew unknown", "auto_renew_unknown") }
        part("in grace", "grace", .warn, trend: true)
        count("Billing retry", "billing_retry", Style(.bad, .bold), trend: true)
        count("Unverified", "overdue", Style(.warn, .bold))
      }
    // The parts add up to the total, which includes losses from billing retry.
    case .lost:
      card("Lost \(window)", 36) {
        count("Paid or in retry", "lost_paid", Style(.bad, .bold), trend: true)
          .drillDown([("lost_paid", 1)] + byIntent.map { ("\($0.intentPath).paid", $0["paid"]) })
        lostParts(
          refunded: figures["lost_paid"] - byIntent.reduce(0) { $0 + $1["paid"] }, of: .churn)
      }
    case .trials:
      card("Trials \(window)", 34) {
        count("Ended", "trials.ended")
        part("converted", "trials.converted", .good, trend: true)
        part("converted late", "trials.converted_late")
        Figure(
          "conversion", .share(figures["trials.converted"], of: figures["trials.ended"], .text),
          isPart: true, opens: "trials.converted",
          trend.share("trials.converted", of: "trials.ended", rise: .good, in: glyphs))
        count("Lost trials", "lost_trial", trend: true)
          .drillDown([("lost_trial", 1)] + byIntent.map { ("\($0.intentPath).trial", $0["trial"]) })
      }
    case .revenue: revenue
    case .renewals:
      card("Renewals", 39) {
        for due in figures[parts: "due"] { dueFigures(due) }
        renewed
      }
    case .money: card("Money \(window)", 40) { sales }
    case .storefronts:
      storefronts(
        "Sold \(window) by storefront", "sales.by_storefront", .card, 44, emptyText: "No sales.",
        ("Purchases", "transactions"), .accent, opens: ["amount", "proceeds"],
        [
          .money("Sold", "amount", of: "transactions", priority: 1, in: glyphs),
          .money("Proceeds", "proceeds", of: "transactions", priority: 3, in: glyphs),
        ])
    case .tiles, .movement, .products, .events, .revenueMovement: nil
    }
  }

  private var byIntent: [FigureValues] { figures[parts: "by_intent"] }

  private var revenue: Block {
    card("Monthly revenue \(now)", 42) {
      Figure.money("MRR", figures[amounts: "mrr"], of: figures["active_paid"], opens: "mrr") {
        trend.state("mrr", $0, rise: .good, ends: figures.movement?["mrr"]?.values(in: $0), in: glyphs)
      }
      for (label, name, rows) in [
        ("auto-renew on", "renewing", "renewing"), ("auto-renew off", "auto_renew_off", "auto_renew_off"),
        ("auto-renew unknown", "auto_renew_unknown", "auto_renew_unknown"),
        ("in grace", "grace", "at_risk_mrr.grace"),
      ] where !figures[amounts: "mrr_parts.\(name)"].isEmpty {
        Figure.money(label, figures[amounts: "mrr_parts.\(name)"], of: 1, isPart: true, opens: rows)
      }
      money("In retry, at risk", "at_risk_mrr.billing_retry", of: figures["billing_retry"])
    }
  }

  @FigureBuilder private func dueFigures(_ due: FigureValues) -> [Figure] {
    let path = "due.\(due["days"])"
    Figure.count("Due within \(AgeText.of(Int64(due["days"]) * Milliseconds.day))", due["lines"])
      .drillDown(
        [("\(path).lines", 1)] + due.counted(["renewing", "unpriced"]).map { ("\(path).\($0)", $1) })
    Figure.money(
      "expected", due[amounts: "expected"], of: due["renewing"], isPart: true, opens: "\(path).renewing")
  }

  @FigureBuilder private var renewed: [Figure] {
    let all = figures[parts: "renewals"]
    if !all.isEmpty {
      let (renewed, due) = (all.reduce(0) { $0 + $1["renewed"] }, all.reduce(0) { $0 + $1["due"] })
      Figure("Renewed on time", .share(renewed, of: due, .text))
        .drillDown(all.map { ("\($0.renewalPath).due", $0["due"]) })
    }
    for part in all.sorted(by: { $0["due"] > $1["due"] }) {
      let path = part.renewalPath
      Figure(
        part.period?.words ?? "period unknown", .share(part["renewed"], of: part["due"], .text),
        isPart: true, trend.share("\(path).renewed", of: "\(path).due", rise: .good, in: glyphs)
      ).drillDown(.rows(part.renewalBreakdown))
    }
  }

  @FigureBuilder private var sales: [Figure] {
    let transactions = figures["sales.transactions"]
    money("Sold", "sales.amount", of: transactions, trend: true)
    money("Proceeds", "sales.proceeds", of: transactions)
    part("purchases", "sales.transactions").drillDown(
      figures.counted([
        "sales.transactions", "sales.unpriced", "arrivals.initial", "arrivals.renewal", "arrivals.recovery",
        "arrivals.unattributed", "arrivals.reactivation",
      ]))
    let cheaper = figures.counted(["sales.after_one_year", "sales.small_business"])
    Figure.part("at 15 % commission", cheaper.reduce(0) { $0 + $1.1 }).drillDown(cheaper)
    part("refunded since", "cohort.refunded")
      .drillDown(figures.counted(["cohort.refunded", "cohort.paid_transactions"]))
    // Refunds issued in the window, regardless of the date of purchase.
    count("Refunds issued", "refunds", Style(.bad, .bold), trend: true)
    money("amount", "refund_amount", of: figures["refunds"], isPart: true, trend: true)
    money("Upgrade credit", "prorated_refund", of: 0, trend: true)
  }
}
