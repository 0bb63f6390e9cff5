import Screen
import Subscriptions

/// Refunds by the day they were issued, and the share of the window's purchases that came back.
struct RefundsPanel {
  let figures: RefundFigures
  let report: Report
  let glyphs: GlyphSet

  init(_ figures: RefundFigures, _ report: Report, _ glyphs: GlyphSet) {
    (self.figures, self.report, self.glyphs) = (figures, report, glyphs)
  }

  var blocks: [Block] { [issued, reasons, cohort, products] }

  private var issued: Block {
    Block(
      StyledText("Issued \(report.windowText)"),
      .figures(
        [.count("Refunds", figures.count, Style(.bad, .bold))]
          + Figure.money("at price", figures.amount, of: figures.count, isPart: true)
          + [
            .part("without a price", figures.unpriced, .warn),
            .count("One-time, apart", figures.oneTime),
          ]), minimumColumns: 36)
  }

  private var reasons: Block {
    let reasons = figures.byReason
    return Block(
      "By reason",
      .bars(
        [Bar].shares([
          ("issue with the app", reasons.appIssue, .bad), ("other", reasons.other, .warn),
          ("unknown", reasons.unknown, .dim),
        ])), minimumColumns: 44)
  }

  private var cohort: Block {
    Block(
      StyledText("Bought \(report.windowText)"),
      .figures([
        .count("Paid transactions", figures.cohort.paidTransactions),
        .part("refunded since", figures.cohort.refunded, .bad),
        Figure(
          "Refund rate",
          StyledText(PercentText.of(figures.cohort.rate), figures.cohort.rate == nil ? .dim : .strong)),
      ]), minimumColumns: 34)
  }

  private var products: Block {
    let top = figures.byProduct.map(\.count).max() ?? 0
    let rows = figures.byProduct.map { product in
      Listing.Row(
        id: product.productId.rawValue,
        [
          StyledText(product.productId.rawValue), .number(product.count, .strong),
          BarText.of(Double(product.count) / Double(max(1, top)), columns: 24, .bad, in: glyphs),
          StyledText(
            product.amount.isEmpty ? "unknown" : MoneyText.of(product.amount),
            product.amount.isEmpty ? .dim : .money),
        ], opening: .product(product.productId))
    }
    return Block(
      "Refunds by product",
      .listing(
        Listing(
          [
            TableColumn("Product", minimum: 12, maximum: 44),
            TableColumn("Refunds", minimum: 7, maximum: 9, align: .right),
            TableColumn("", minimum: 6, maximum: 24, priority: 2),
            TableColumn("At price", minimum: 10, maximum: 44, align: .right, priority: 1),
          ], rows, emptyText: "No refund was issued.", in: glyphs)), span: .main, minimumColumns: 60)
  }
}
