import Screen
import Subscriptions

/// Cards of the overview that summarize other panels.
struct OverviewCards {
  let figures: OverviewFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }
  private var trend: Trend { report.trend }

  var blocks: [Block] {
    [
      subscribers, lost, trials, revenue, coming, sales,
      figures.sales.byStorefront.block(in: report.window, wording),
    ].compactMap(\.self)
  }

  private var subscribers: Block {
    let unknown = figures.autoRenewUnknown
    return Block(
      "Subscribers now",
      .figures(
        [
          .count("All", figures.activePaid, Style(.good, .bold), opens: "active_paid"),
          .part("renewing", figures.renewing, opens: "renewing"),
          .part("renewal off", figures.autoRenewOff, .warn, opens: "auto_renew_off"),
        ] + (unknown > 0 ? [.part("unknown", unknown, opens: "auto_renew_unknown")] : [])
          + [
            .part("in grace", figures.grace, .warn, opens: "grace")
              .following(trend.state("grace", rise: .bad, in: glyphs)),
            .count("Billing retry", figures.billingRetry, Style(.bad, .bold), opens: "billing_retry")
              .following(trend.state("billing_retry", rise: .bad, in: glyphs)),
            .count("Not confirmed yet", figures.overdue, Style(.warn, .bold), opens: "overdue"),
          ]), minimumColumns: 38)
  }

  /// Losses by reason, including those from billing retry. The parts add up to the total.
  private var lost: Block {
    Block(
      StyledText("Lost \(report.windowText)"),
      .figures(
        [
          .count("Paid or in retry", figures.lostPaid, Style(.bad, .bold))
            .opening([("lost_paid", 1)] + figures.byIntent.map { ("\($0.path).paid", $0.paid) })
            .following(trend.flow("lost_paid", rise: .bad, in: glyphs))
        ] + LostParts(figures.byIntent, refunded: refunded).figures(refundedOf: .churn)), minimumColumns: 36)
  }

  private var refunded: Int { figures.lostPaid - figures.byIntent.reduce(0) { $0 + $1.paid } }

  private var trials: Block {
    let trials = figures.trials
    return Block(
      StyledText("Trials \(report.windowText)"),
      .figures([
        .count("Ended", trials.ended, opens: "trials.ended"),
        .part("converted", trials.converted, .good, opens: "trials.converted")
          .following(trend.flow("trials.converted", rise: .good, in: glyphs)),
        .part("converted late", trials.convertedLate, opens: "trials.converted_late"),
        Figure(
          "conversion", .share(trials.converted, of: trials.ended, .text), isPart: true,
          opens: "trials.converted"
        )
        .following(trend.share("trials.converted", of: "trials.ended", rise: .good, in: glyphs)),
        .count("Lost trials", figures.lostTrial)
          .opening([("lost_trial", 1)] + figures.byIntent.map { ("\($0.path).trial", $0.trial) })
          .following(trend.flow("lost_trial", rise: .bad, in: glyphs)),
      ]), minimumColumns: 34)
  }

  private var revenue: Block {
    let parts = figures.mrrParts
    let named: [(String, Amounts, String)] = [
      ("renewing", parts.renewing, "renewing"), ("renewal off", parts.autoRenewOff, "auto_renew_off"),
      ("unknown", parts.autoRenewUnknown, "auto_renew_unknown"),
      ("in grace", parts.grace, "at_risk_mrr.grace"),
    ]
    return Block(
      "Monthly revenue now",
      .figures(
        Figure.money("MRR", figures.mrr, of: figures.activePaid, opens: "mrr") {
          trend.state("mrr", $0, rise: .good, ends: figures.movement["mrr"]?.values(in: $0), in: glyphs)
        }
          + named.filter { !$0.1.isEmpty }.flatMap {
            Figure.money($0.0, $0.1, of: 1, isPart: true, opens: $0.2)
          }
          + Figure.money(
            "In retry, at risk", figures.atRiskMrr.billingRetry, of: figures.billingRetry,
            opens: "at_risk_mrr.billing_retry"
          )
      ),
      minimumColumns: 42)
  }

  private var coming: Block {
    let due = figures.due.flatMap { due -> [Figure] in
      let within = AgeText.of(Int64(due.days) * Milliseconds.day)
      let (lines, renewing) = ("due.\(due.days).lines", "due.\(due.days).renewing")
      return [
        .count("Due within \(within)", due.lines).opening([
          (lines, 1), (renewing, due.renewing), ("due.\(due.days).unpriced", due.unpriced),
        ])
      ]
        + Figure.money(
          "expected", due.expected, of: due.renewing, isPart: true, opens: renewing)
    }
    return Block("Renewals", .figures(due + renewed), minimumColumns: 39)
  }

  private var renewed: [Figure] {
    let all = figures.renewals
    let whole = Figure(
      "Renewed", .share(all.reduce(0) { $0 + $1.renewed }, of: all.reduce(0) { $0 + $1.due }, .text)
    ).opening(all.map { ("renewals.\($0.period?.iso8601 ?? "unknown").due", $0.due) })
    return (all.isEmpty ? [] : [whole])
      + all.sorted { $0.due > $1.due }.map { renewals in
        let path = "renewals.\(renewals.period?.iso8601 ?? "unknown")"
        var figure = Figure(
          renewals.period?.words ?? "period unknown", .share(renewals.renewed, of: renewals.due, .text),
          isPart: true)
        figure.opening = .rows(renewals.breakdown)
        return figure.following(
          trend.share("\(path).renewed", of: "\(path).due", rise: .good, in: glyphs))
      }
  }

  private var sales: Block {
    let sales = figures.sales
    func flow(_ figure: String, _ rise: Course.Rise) -> (CurrencyCode?) -> Course? {
      { trend.flow(figure, $0, rise: rise, in: glyphs) }
    }
    return Block(
      StyledText("Money \(report.windowText)"),
      .figures(
        Figure.money(
          "Sold", sales.amount, of: sales.transactions, opens: "sales.amount",
          course: flow("sales.amount", .good))
          + Figure.money("Proceeds", sales.proceeds, of: sales.transactions, opens: "sales.proceeds")
          + [purchases, cheaper, returned, refunds]
          + Figure.money(
            "at price", figures.refundAmount, of: figures.refunds, isPart: true, opens: "refund_amount",
            course: flow("refund_amount", .bad))
          + Figure.money(
            "Upgrade credit", figures.proratedRefund, of: 0, opens: "prorated_refund",
            course: flow("prorated_refund", .neutral))), minimumColumns: 40)
  }

  private var purchases: Figure {
    let (sales, arrivals) = (figures.sales, figures.arrivals)
    return Figure.part("purchases", sales.transactions)
      .opening([
        ("sales.transactions", sales.transactions), ("sales.unpriced", sales.unpriced),
        ("arrivals.initial", arrivals.initial), ("arrivals.renewal", arrivals.renewal),
        ("arrivals.recovery", arrivals.recovery), ("arrivals.unattributed", arrivals.unattributed),
        ("arrivals.reactivation", arrivals.reactivation),
      ])
  }

  /// Purchases with a commission of 15 % instead of 30 %.
  private var cheaper: Figure {
    let (old, small) = (figures.sales.afterOneYear, figures.sales.smallBusiness)
    return Figure.part("of them at 15 %", old + small)
      .opening([("sales.after_one_year", old), ("sales.small_business", small)])
  }

  private var returned: Figure {
    Figure.part("of them refunded since", figures.cohort.refunded)
      .opening([
        ("cohort.refunded", figures.cohort.refunded),
        ("cohort.paid_transactions", figures.cohort.paidTransactions),
      ])
  }

  /// Refunds issued in the window, regardless of the date of purchase.
  private var refunds: Figure {
    .count("Refunds issued", figures.refunds, Style(.bad, .bold), opens: "refunds")
      .following(trend.flow("refunds", rise: .bad, in: glyphs))
  }
}
