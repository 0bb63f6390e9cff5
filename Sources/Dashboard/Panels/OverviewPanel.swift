import Screen
import Subscriptions

/// The headline figures of the other panels, and how they moved.
struct OverviewPanel {
  let figures: OverviewFigures
  let report: Report
  let wording: Wording

  init(_ figures: OverviewFigures, _ report: Report, _ wording: Wording) {
    (self.figures, self.report, self.wording) = (figures, report, wording)
  }

  private var glyphs: GlyphSet { wording.glyphs }
  private var trend: Trend { report.trend }

  /// Two stand beside each other from 80 columns on, three of the lower ones from 120; with rows to spare, as many as have room
  /// for their courses.
  var blocks: [Block] {
    [
      subscribers, revenue, movement, coming, sales, products,
      figures.sales.byStorefront.block(in: report.window, wording), events,
    ].compactMap(\.self)
  }

  /// Columns with room for a change and a course of each figure.
  private static let withCourses = 62

  private var subscribers: Block {
    let unknown = figures.autoRenewUnknown
    return Block(
      "Subscribers",
      .figures(
        [
          .count("Active paid", figures.activePaid, Style(.good, .bold), opens: "active_paid")
            .following(trend.state("active_paid", rise: .good, in: glyphs)),
          .part("renewing", figures.renewing, opens: "renewing"),
          .part("renewal off", figures.autoRenewOff, .warn, opens: "auto_renew_off"),
        ] + (unknown > 0 ? [.part("unknown", unknown, opens: "auto_renew_unknown")] : [])
          + [
            .part("in grace", figures.grace, .warn, opens: "grace")
              .following(trend.state("grace", rise: .bad, in: glyphs)),
            .count("Trials", figures.trial, opens: "trial")
              .following(trend.state("trial", rise: .good, in: glyphs)),
            .count("Billing retry", figures.billingRetry, Style(.bad, .bold), opens: "billing_retry")
              .following(trend.state("billing_retry", rise: .bad, in: glyphs)),
            .count("Overdue", figures.overdue, Style(.warn, .bold), opens: "overdue"),
          ]), minimumColumns: 38, idealColumns: Self.withCourses)
  }

  private var revenue: Block {
    let parts = figures.mrrParts
    let named: [(String, Amounts, String)] = [
      ("renewing", parts.renewing, "renewing"), ("renewal off", parts.autoRenewOff, "auto_renew_off"),
      ("unknown", parts.autoRenewUnknown, "auto_renew_unknown"),
      ("in grace", parts.grace, "at_risk_mrr.grace"),
    ]
    return Block(
      "Monthly revenue",
      .figures(
        Figure.money("MRR", figures.mrr, of: figures.activePaid, opens: "mrr") {
          trend.state("mrr", $0, rise: .good, in: glyphs)
        }
          + named.filter { !$0.1.isEmpty }.flatMap {
            Figure.money($0.0, $0.1, of: 1, isPart: true, opens: $0.2)
          }
          + Figure.money(
            "Retry, at risk", figures.atRiskMrr.billingRetry, of: figures.billingRetry,
            opens: "at_risk_mrr.billing_retry"
          )
      ),
      minimumColumns: 42, idealColumns: Self.withCourses)
  }

  private var movement: Block {
    let (arrivals, trials) = (figures.arrivals, figures.trials)
    func flow(_ figure: String, _ rise: Course.Rise) -> Course? { trend.flow(figure, rise: rise, in: glyphs) }
    return Block(
      StyledText("Last \(CountText.of(report.window.days)) d"),
      .figures([
        .count("New", arrivals.initial, Style(.good, .bold))
          .opening([("arrivals.initial", arrivals.initial), ("arrivals.renewal", arrivals.renewal)])
          .following(flow("arrivals.initial", .good)),
        .count("Trials converted", trials.converted)
          .opening([("trials.converted", 1), ("trials.converted_late", trials.convertedLate)])
          .following(flow("trials.converted", .good)),
        Figure("conversion", share(trials.converted, of: trials.ended), isPart: true, opens: "trials.ended")
          .following(trend.share("trials.converted", of: "trials.ended", rise: .good, in: glyphs)),
        .count("Recovered", arrivals.recovery)
          .opening([("arrivals.recovery", 1), ("arrivals.unattributed", arrivals.unattributed)])
          .following(flow("arrivals.recovery", .good)),
        .count("Resubscribed", arrivals.reactivation, opens: "arrivals.reactivation")
          .following(flow("arrivals.reactivation", .good)),
        .count("Lost paid", figures.lostPaid, Style(.bad, .bold))
          .opening([("lost_paid", 1)] + figures.byIntent.map { ("\($0.path).paid", $0.paid) })
          .following(flow("lost_paid", .bad)),
        Figure(
          "churn rate",
          StyledText(PercentText.of(figures.churnRate), figures.churnRate == nil ? .dim : .text),
          isPart: true,
          opens: "churn_rate"),
        .count("Lost trials", figures.lostTrial)
          .opening([("lost_trial", 1)] + figures.byIntent.map { ("\($0.path).trial", $0.trial) })
          .following(flow("lost_trial", .bad)),
        .count("Refunds", figures.refunds, Style(.bad, .bold), opens: "refunds")
          .following(flow("refunds", .bad)),
        Figure(
          "refund rate", share(figures.cohort.refunded, of: figures.cohort.paidTransactions), isPart: true
        )
        .opening([
          ("cohort.refunded", figures.cohort.refunded),
          ("cohort.paid_transactions", figures.cohort.paidTransactions),
        ]),
      ]), minimumColumns: 41, idealColumns: Self.withCourses)
  }

  private func share(_ part: Int, of whole: Int) -> StyledText {
    StyledText(PercentText.of(part, in: whole), whole == 0 ? .dim : .text)
  }

  /// What comes due, and how much of what came due was renewed.
  private var coming: Block {
    let due = figures.due.flatMap { due -> [Figure] in
      let within = AgeText.of(Int64(due.days) * Milliseconds.day)
      let (lines, renewing) = ("due.\(due.days).lines", "due.\(due.days).renewing")
      return [
        .count("Due in \(within)", due.lines).opening([
          (lines, 1), (renewing, due.renewing), ("due.\(due.days).unpriced", due.unpriced),
        ])
      ]
        + Figure.money(
          "expected", due.expected, of: due.renewing, isPart: true, opens: renewing)
    }
    return Block("Renewals", .figures(due + renewed), minimumColumns: 39, idealColumns: Self.withCourses)
  }

  private var renewed: [Figure] {
    let all = figures.renewals
    let whole = Figure(
      "Renewed", share(all.reduce(0) { $0 + $1.renewed }, of: all.reduce(0) { $0 + $1.due })
    ).opening(all.map { ("renewals.\($0.period?.iso8601 ?? "unknown").due", $0.due) })
    return (all.isEmpty ? [] : [whole])
      + all.sorted { $0.due > $1.due }.map { renewals in
        let path = "renewals.\(renewals.period?.iso8601 ?? "unknown")"
        var figure = Figure(
          renewals.period?.words ?? "unlisted", share(renewals.renewed, of: renewals.due), isPart: true)
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
      StyledText("Money in \(CountText.of(report.window.days)) d"),
      .figures(
        Figure.money(
          "Sold", sales.amount, of: sales.transactions, opens: "sales.amount",
          course: flow("sales.amount", .good))
          + Figure.money("Proceeds", sales.proceeds, of: sales.transactions, opens: "sales.proceeds")
          + [purchases, cheaper]
          + Figure.money(
            "Refunded", figures.refundAmount, of: figures.refunds, opens: "refund_amount",
            course: flow("refund_amount", .bad))
          + Figure.money(
            "Prorated", figures.proratedRefund, of: 0, opens: "prorated_refund",
            course: flow("prorated_refund", .neutral))), minimumColumns: 40, idealColumns: Self.withCourses)
  }

  private var purchases: Figure {
    let sales = figures.sales
    return Figure.part("purchases", sales.transactions)
      .opening([("sales.transactions", sales.transactions), ("sales.unpriced", sales.unpriced)])
  }

  /// Those of which Apple takes 15 % instead of 30 %.
  private var cheaper: Figure {
    let (old, small) = (figures.sales.afterOneYear, figures.sales.smallBusiness)
    return Figure.part("at 15 %", old + small)
      .opening([("sales.after_one_year", old), ("sales.small_business", small)])
  }

  private var events: Block {
    Block(
      "Newest events", .listing(figures.newestEvents.listing(emptyText: "Nothing happened.", in: wording)),
      span: .extra, minimumColumns: 74)
  }

  private var products: Block { figures.byProduct.block(in: wording, minimumColumns: 44) }
}
