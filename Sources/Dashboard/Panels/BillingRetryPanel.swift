import Screen
import Subscriptions

/// The billing-retry panel: lines that Apple still tries to bill, and the MRR at risk.
struct BillingRetryPanel {
  let figures: BillingRetryFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    [
      report.chart("In billing retry", ["lines"], .line, .bad, in: wording),
      report.chart("In grace", ["grace.lines"], .line, .warn, in: wording), counts, risk, products, list,
    ].compactMap(\.self)
  }

  private var counts: Block {
    Block(
      "Unpaid",
      .figures([
        .count("Billing retry", figures.lines, Style(.bad, .bold), opens: "lines")
          .following(report.trend.state("lines", rise: .bad, in: glyphs)),
        .part("users", figures.users, opens: "lines"),
        .count("Grace, with access", figures.grace.lines, Style(.warn, .bold), opens: "grace.lines")
          .following(report.trend.state("grace.lines", rise: .bad, in: glyphs)),
        .part("users", figures.grace.users, opens: "grace.lines"),
      ]), minimumColumns: 28)
  }

  private var risk: Block {
    Block(
      "Monthly revenue at risk",
      .figures(
        Figure.money(
          "Billing retry", figures.atRiskMrr.billingRetry, of: figures.lines,
          opens: "at_risk_mrr.billing_retry")
          + Figure.money(
            "Grace", figures.atRiskMrr.grace, of: figures.grace.lines, opens: "at_risk_mrr.grace")),
      minimumColumns: 34)
  }

  private var products: Block {
    Block(
      "In retry by product",
      .bars(
        .shares(
          figures.byProduct.prefix(8).map {
            Share(wording.products.name(of: $0.productId), $0.lines, .bad, opening: .product($0.productId))
          }, of: figures.lines)),
      span: .extra,
      minimumColumns: 44)
  }

  private var list: Block {
    let isLocated = figures.rows.contains { $0.storefront != nil }
    let rows = figures.rows.map { entry in
      Listing.Row(
        id: "\(entry.originalTransactionId) \(entry.productId)",
        cells(of: entry), opening: .chain(entry.originalTransactionId), bar: Self.bar(of: entry))
    }
    let listing = Listing(
      [
        .whole("Subscription").named("chain"), .id("App user", most: 36, priority: 3),
        .product(of: wording.products),
        .whole("Expired", priority: 4),
        .number("Since expiry").named("days"), .number("Left", priority: 2), .bar("of 60 d"),
        .storefront(priority: 6).present(isLocated),
      ], rows, total: figures.lines, emptyText: "No subscription is in billing retry.", in: glyphs)
    return Block(
      "In billing retry, the newest first", .listing(listing), span: .main, minimumColumns: 70)
  }

  private static func bar(of entry: BillingRetryFigures.Entry) -> Listing.RowBar {
    let used = Double(entry.daysInRetry) / 60
    return Listing.RowBar(used, used < 0.25 ? .good : used < 0.7 ? .warn : .bad)
  }

  private func cells(of entry: BillingRetryFigures.Entry) -> [StyledText] {
    let left = max(0, entry.retryEndsAtMs - report.asOfMs)
    return [
      StyledText(entry.originalTransactionId.rawValue), .user(entry.appUserId, in: glyphs),
      StyledText(wording.products.name(of: entry.productId)),
      StyledText(wording.date(entry.expiredAtMs), .dim),
      StyledText("\(entry.daysInRetry) d"), StyledText(AgeText.of(left)), "",
      .storefront(entry.storefront, in: glyphs),
    ]
  }
}

extension StyledText {
  static func storefront(_ storefront: StorefrontCode?, in glyphs: GlyphSet) -> StyledText {
    storefront.map { StyledText($0.rawValue) } ?? .dash(in: glyphs)
  }

  static func user(_ user: AppUserID?, in glyphs: GlyphSet) -> StyledText {
    user.map { StyledText($0.rawValue) } ?? .dash(in: glyphs)
  }
}
