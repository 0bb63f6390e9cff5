import Screen
import Subscriptions

/// The refunds panel: refunds by date of issue, and the refund rate of the window's purchases.
struct RefundsPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    [
      report.chart("Refunds issued", ["count"], .columns, .bad, in: formatter),
      report.chart("Refunds at price", amount: "amount", .columns, in: formatter), issued, reasons, cohort,
      products,
    ].compactMap(\.self)
  }

  private var issued: Block {
    Block(
      StyledText("Issued \(report.windowText)"),
      .figures(
        [figures.count("Refunds", "count", Style(.bad, .bold)).following(report, in: glyphs)]
          + figures.money("at price", "amount", of: figures["count"], isPart: true, in: report, glyphs)
          + [
            figures.part("without a price", "unpriced", .warn), figures.count("One-time, apart", "one_time"),
          ]), minimumColumns: 34)
  }

  private var reasons: Block {
    Block(
      "By reason",
      .bars(
        .shares([
          figures.share("app issue", "by_reason.app_issue", .bad),
          figures.share("other", "by_reason.other", .warn),
          figures.share("unknown", "by_reason.unknown", .dim),
        ])), minimumColumns: 44)
  }

  private var cohort: Block {
    Block(
      StyledText("Bought \(report.windowText)"),
      .figures([
        figures.count("Paid transactions", "cohort.paid_transactions"),
        figures.part("refunded since", "cohort.refunded", .bad),
        .share("Refund rate", figures[share: "cohort.rate"], opens: "cohort.refunded"),
      ]), minimumColumns: 34)
  }

  private var products: Block {
    let products = figures[parts: "by_product"]
    let top = products.map { $0["count"] }.max() ?? 0
    let rows = products.map { part in
      let (count, amount) = (part["count"], part[amounts: "amount"])
      return Listing.Row(
        id: part.product.rawValue,
        [
          StyledText(formatter.products.name(of: part.product)), .number(count, .strong), "",
          .amount(amount, of: count, in: glyphs),
        ], drillDown: .product(part.product),
        bar: PercentText.share(count, in: top).map { RowBar($0, .bad) })
    }
    return Block(
      "Refunds by product",
      .listing(
        Listing(
          [
            .product(of: formatter.products, priority: 0), .number("Refunds"),
            .bar(),
            .money("At price", priority: 1),
          ], rows, emptyText: "No refund was issued.", in: glyphs)), span: .main, minimumColumns: 46)
  }
}
