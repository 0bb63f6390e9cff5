import Screen
import Subscriptions

/// The billing-retry panel: lines that Apple still tries to bill, and the MRR at risk.
struct BillingRetryPanel {
  let figures: FigureValues
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
        figures.count("Billing retry", "lines", Style(.bad, .bold)).following(report, in: glyphs),
        .part("users", figures["users"], opens: "lines"),
        figures.count("Grace, with access", "grace.lines", Style(.warn, .bold)).following(report, in: glyphs),
        .part("users", figures["grace.users"], opens: "grace.lines"),
      ]), minimumColumns: 28)
  }

  private var risk: Block {
    Block(
      "Monthly revenue at risk",
      .figures(
        figures.money("Billing retry", "at_risk_mrr.billing_retry", of: figures["lines"])
          + figures.money("Grace", "at_risk_mrr.grace", of: figures["grace.lines"])),
      minimumColumns: 34)
  }

  private var products: Block {
    Block(
      "In retry by product",
      .bars(
        .shares(
          figures[parts: "by_product"].prefix(8).map {
            Share(wording.products.name(of: $0.product), $0["lines"], .bad, opening: .product($0.product))
          }, of: figures["lines"])),
      span: .extra,
      minimumColumns: 44)
  }

  private var list: Block {
    let isLocated = figures.unpaid.contains { $0.storefront != nil }
    let rows = figures.unpaid.map { entry in
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
      ], rows, total: figures["lines"], emptyText: "No subscription is in billing retry.", in: glyphs)
    return Block(
      "In billing retry, the newest first", .listing(listing), span: .main, minimumColumns: 70)
  }

  /// The part of Apple's 60 days that is gone.
  private static func bar(of entry: UnpaidEntry) -> Listing.RowBar {
    let used = Double(entry.daysInRetry) / 60
    return Listing.RowBar(used, used < 0.25 ? .good : used < 0.7 ? .warn : .bad)
  }

  private func cells(of entry: UnpaidEntry) -> [StyledText] {
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
