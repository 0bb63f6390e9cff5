import Screen
import Subscriptions

/// Lines that Apple still tries to bill, and what is at risk with them.
struct BillingRetryPanel {
  let figures: BillingRetryFigures
  let report: Report
  let glyphs: GlyphSet

  init(_ figures: BillingRetryFigures, _ report: Report, _ glyphs: GlyphSet) {
    (self.figures, self.report, self.glyphs) = (figures, report, glyphs)
  }

  var blocks: [Block] { [counts, risk, products, list] }

  private var counts: Block {
    Block(
      "Unpaid",
      .figures([
        .count("Billing retry", figures.lines, Style(.bad, .bold)), .part("users", figures.users),
        .count("Grace, with access", figures.grace.lines, Style(.warn, .bold)),
        .part("users", figures.grace.users),
      ]), minimumColumns: 28)
  }

  private var risk: Block {
    Block(
      "Monthly revenue at risk",
      .figures(
        Figure.money("Billing retry", figures.atRiskMrr.billingRetry, of: figures.lines)
          + Figure.money("Grace", figures.atRiskMrr.grace, of: figures.grace.lines)), minimumColumns: 34)
  }

  private var products: Block {
    Block(
      "In retry by product",
      .bars([Bar].shares(figures.byProduct.prefix(8).map { ($0.productId.rawValue, $0.lines, .bad) })),
      span: .extra,
      minimumColumns: 44)
  }

  private var list: Block {
    let rows = figures.rows.map { entry in
      Listing.Row(
        id: "\(entry.originalTransactionId) \(entry.productId)", cells(of: entry),
        opening: .chain(entry.originalTransactionId))
    }
    return Block(
      "In billing retry, the newest first",
      .listing(
        Listing(
          [
            TableColumn("Chain", minimum: 10, maximum: 24),
            TableColumn("App user", minimum: 8, maximum: 28, priority: 3),
            TableColumn("Product", minimum: 10, maximum: 40, priority: 1),
            TableColumn("Expired", minimum: 10, maximum: 10, priority: 4),
            TableColumn("In retry", minimum: 8, maximum: 9, align: .right),
            TableColumn("Left", minimum: 5, maximum: 6, align: .right, priority: 2),
            TableColumn("of 60 d", minimum: 7, maximum: 15, priority: 5),
          ], rows, total: rows.count < figures.lines ? figures.lines : nil,
          emptyText: "No line is in billing retry.", in: glyphs)), span: .main, minimumColumns: 70)
  }

  private func cells(of entry: BillingRetryFigures.Entry) -> [StyledText] {
    let left = max(0, entry.retryEndsAtMs - report.asOfMs)
    let used = Double(entry.daysInRetry) / 60
    let style: Style = used < 0.25 ? .good : used < 0.7 ? .warn : .bad
    return [
      StyledText(entry.originalTransactionId.rawValue), .user(entry.appUserId, in: glyphs),
      StyledText(entry.productId.rawValue), StyledText(entry.expiredAtMs.dateText, .dim),
      StyledText("\(entry.daysInRetry) d"), StyledText(AgeText.of(left)),
      BarText.of(used, columns: 15, style, in: glyphs),
    ]
  }
}

extension StyledText {
  /// The app's own name of a user, or a dash where it gave none.
  static func user(_ user: AppUserID?, in glyphs: GlyphSet) -> StyledText {
    user.map { StyledText($0.rawValue) } ?? StyledText(glyphs.dash, .dim)
  }
}
