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
        .count("Active paid", figures.activePaid, Style(.good, .bold)),
        .part("in grace", figures.grace, .warn),
        .count("Trials", figures.trial),
        .count("Billing retry", figures.billingRetry, Style(.bad, .bold)),
        .count("Overdue", figures.overdue, Style(.warn, .bold)),
      ]), minimumColumns: 26)
  }

  private var revenue: Block {
    Block(
      "Monthly revenue", .figures(Figure.money("MRR", figures.mrr, of: figures.activePaid)),
      minimumColumns: 25)
  }

  private var movement: Block {
    let prorated = figures.proratedRefund
    return Block(
      StyledText("Last \(CountText.of(report.window.days)) d"),
      .figures(
        [
          .count("Lost paid", figures.lostPaid, Style(.bad, .bold)),
          Figure(
            "Churn rate",
            StyledText(PercentText.of(figures.churnRate), figures.churnRate == nil ? .dim : .text)),
          .count("Refunds", figures.refunds, Style(.bad, .bold)),
        ] + Figure.money("at price", figures.refundAmount, of: figures.refunds, isPart: true)
          + Figure.money("Prorated", prorated, of: 0)), minimumColumns: 28)
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
