import Screen
import Subscriptions

/// The headline figures of the other panels.
struct OverviewPanel {
  let figures: OverviewFigures
  let report: Report
  let wording: Wording

  init(_ figures: OverviewFigures, _ report: Report, _ wording: Wording) {
    (self.figures, self.report, self.wording) = (figures, report, wording)
  }

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] { [subscribers, revenue, movement, lost, products, events] }

  private var subscribers: Block {
    Block(
      "Subscribers",
      .figures([
        .count("Active paid", figures.activePaid, Style(.good, .bold), opens: "active_paid"),
        .part("in grace", figures.grace, .warn, opens: "grace"),
        .count("Trials", figures.trial, opens: "trial"),
        .count("Billing retry", figures.billingRetry, Style(.bad, .bold), opens: "billing_retry"),
        .count("Overdue", figures.overdue, Style(.warn, .bold), opens: "overdue"),
      ]), minimumColumns: 24)
  }

  private var revenue: Block {
    let sales = figures.sales
    return Block(
      "Monthly revenue",
      .figures(
        Figure.money("MRR", figures.mrr, of: figures.activePaid, opens: "mrr")
          + Figure.money(
            "Sold \(CountText.of(report.window.days)) d", sales.amount, of: sales.transactions,
            opens: "sales.amount")
          + Figure.money("Proceeds", sales.proceeds, of: sales.transactions, opens: "sales.proceeds")
          + [purchases, cheaper]), minimumColumns: 27)
  }

  private var purchases: Figure {
    var figure = Figure.part("purchases", figures.sales.transactions)
    figure.opening = .rows(
      Breakdown([
        ("sales.transactions", figures.sales.transactions), ("sales.unpriced", figures.sales.unpriced),
      ]))
    return figure
  }

  /// Those of which Apple takes 15 % instead of 30 %.
  private var cheaper: Figure {
    let (old, small) = (figures.sales.afterOneYear, figures.sales.smallBusiness)
    var figure = Figure.part("of them at 15 %", old + small)
    figure.opening = .rows(Breakdown([("sales.after_one_year", old), ("sales.small_business", small)]))
    return figure
  }

  private var movement: Block {
    let prorated = figures.proratedRefund
    return Block(
      StyledText("Last \(CountText.of(report.window.days)) d"),
      .figures(
        [
          .count("Lost paid", figures.lostPaid, Style(.bad, .bold), opens: "lost_paid"),
          .share("Churn rate", figures.churnRate, opens: "churn_rate"),
          .count("Refunds", figures.refunds, Style(.bad, .bold), opens: "refunds"),
        ]
          + Figure.money(
            "at price", figures.refundAmount, of: figures.refunds, isPart: true, opens: "refund_amount")
          + Figure.money("Prorated", prorated, of: 0, opens: "prorated_refund")), minimumColumns: 28)
  }

  private var lost: Block {
    Block(
      "Lost, paid + trial", .bars(figures.byIntent.bars(refunded: nil, inWords: false)), minimumColumns: 36)
  }

  private var events: Block {
    Block(
      "Newest events", .listing(figures.newestEvents.listing(emptyText: "Nothing happened.", in: wording)),
      span: .extra, minimumColumns: 74)
  }

  private var products: Block { figures.byProduct.block(in: wording, minimumColumns: 44) }
}
