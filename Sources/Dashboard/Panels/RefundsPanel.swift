import Screen
import Subscriptions

/// The refunds panel: refunds by date of issue, and the refund rate of the window's purchases.
struct RefundsPanel {
  let figures: RefundFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    [
      report.chart("Refunds issued", ["count"], .columns, .bad, in: wording),
      report.chart("Refunds at price", amount: "amount", .columns, in: wording), issued, reasons, cohort,
      products,
    ].compactMap(\.self)
  }

  private var issued: Block {
    Block(
      StyledText("Issued \(report.windowText)"),
      .figures(
        [
          .count("Refunds", figures.count, Style(.bad, .bold), opens: "count")
            .following(report.trend.flow("count", rise: .bad, in: glyphs))
        ]
          + Figure.money("at price", figures.amount, of: figures.count, isPart: true, opens: "amount") {
            report.trend.flow("amount", $0, rise: .bad, in: glyphs)
          }
          + [
            .part("without a price", figures.unpriced, .warn, opens: "unpriced"),
            .count("One-time, apart", figures.oneTime, opens: "one_time"),
          ]), minimumColumns: 34)
  }

  private var reasons: Block {
    let reasons = figures.byReason
    return Block(
      "By reason",
      .bars(
        .shares([
          Share("app issue", reasons.appIssue, .bad, opens: "by_reason.app_issue"),
          Share("other", reasons.other, .warn, opens: "by_reason.other"),
          Share("unknown", reasons.unknown, .dim, opens: "by_reason.unknown"),
        ])), minimumColumns: 44)
  }

  private var cohort: Block {
    Block(
      StyledText("Bought \(report.windowText)"),
      .figures([
        .count("Paid transactions", figures.cohort.paidTransactions, opens: "cohort.paid_transactions"),
        .part("refunded since", figures.cohort.refunded, .bad, opens: "cohort.refunded"),
        .share("Refund rate", figures.cohort.rate, opens: "cohort.refunded"),
      ]), minimumColumns: 34)
  }

  private var products: Block {
    let top = figures.byProduct.map(\.count).max() ?? 0
    let rows = figures.byProduct.map { product in
      Listing.Row(
        id: product.productId.rawValue,
        [
          StyledText(wording.products.name(of: product.productId)), .number(product.count, .strong),
          "",
          .amount(product.amount, of: product.count, in: glyphs),
        ], counted: [3: .currencies(product.amount)], opening: .product(product.productId),
        bar: PercentText.share(product.count, in: top).map { Listing.RowBar($0, .bad) })
    }
    return Block(
      "Refunds by product",
      .listing(
        Listing(
          [
            .product(of: wording.products, priority: 0), .number("Refunds"),
            .bar(),
            .number("At price", most: 48, priority: 1),
          ], rows, emptyText: "No refund was issued.", in: glyphs)), span: .main, minimumColumns: 46)
  }
}
