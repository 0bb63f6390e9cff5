import Screen
import Subscriptions

/// The billing-retry panel: lines that Apple still tries to bill, and the MRR at risk.
struct BillingRetryPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    [
      report.chart("In billing retry", ["lines"], .line, .bad, in: formatter),
      report.chart("In grace", ["grace.lines"], .line, .warn, in: formatter), counts, risk, products, list,
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
            Share(formatter.products.name(of: $0.product), $0["lines"], .bad, drillDown: .product($0.product))
          }, of: figures["lines"])),
      span: .extra,
      minimumColumns: 44)
  }

  private var list: Block {
    let isLocated = figures.unpaid.contains { $0.storefront != nil }
    let rows = figures.unpaid.map { entry in
      Listing.Row(
        id: "\(entry.originalTransactionId) \(entry.productId)",
        cells(of: entry), drillDown: .chain(entry.originalTransactionId), bar: Self.bar(of: entry))
    }
    let listing = Listing(
      [
        .whole("Subscription").named("chain"), .id("App user", most: 36, priority: 3),
        .product(of: formatter.products),
        .whole("Expired", priority: 4),
        .number("Since expiry").named("days"), .number("Left", priority: 2), .bar("of 60 d"),
        .storefront(priority: 6).present(isLocated),
      ], rows, total: figures["lines"], emptyText: "No subscription is in billing retry.", in: glyphs)
    return Block(
      "In billing retry, the newest first", .listing(listing), span: .main, minimumColumns: 70)
  }

  /// Share of Apple's 60 days of billing retry that has passed.
  private static func bar(of entry: UnpaidEntry) -> RowBar {
    let used = Double(entry.daysInRetry) / 60
    return RowBar(used, used < 0.25 ? .good : used < 0.7 ? .warn : .bad)
  }

  private func cells(of entry: UnpaidEntry) -> [StyledText] {
    let left = max(0, entry.retryEndsAtMs - report.asOfMs)
    return [
      StyledText(entry.originalTransactionId.rawValue), .user(entry.appUserId, in: glyphs),
      StyledText(formatter.products.name(of: entry.productId)),
      StyledText(formatter.date(entry.expiredAtMs), .dim),
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

/// Recovery with a grace period compared with recovery without one.
struct GraceAdvice: Hashable, Sendable {
  let text: String

  /// Minimum number of entries in each group for a comparison.
  static let enough = 30

  static let setting =
    "Grace is a setting of the app in App Store Connect. Who pays while in grace never enters billing retry and is not counted here."

  init(_ figures: FigureValues, days: Int) {
    let pairs = zip(figures[parts: "with_grace.curve"], figures[parts: "without_grace.curve"]).filter {
      $0["of"] >= Self.enough && $1["of"] >= Self.enough && $0["days"] == $1["days"]
    }
    guard let (grace, none) = pairs.last, let better = grace[share: "rate"], let worse = none[share: "rate"]
    else {
      let (one, other) = (
        figures["with_grace.outcomes.entered"], figures["without_grace.outcomes.entered"]
      )
      text =
        "What grace changes cannot be told in \(CountText.of(days)) d: \(CountText.of(one)) entered with it and \(CountText.of(other)) without, and \(Self.enough) of each have to have entered long enough ago. \(Self.longer(than: days, for: min(one, other)))"
      return
    }
    // No advice follows from this: lines that grace itself recovered never entered billing retry.
    text =
      "Of \(CountText.of(grace["of"])) with grace, \(PercentText.of(better)) were back within \(grace["days"]) d; of \(CountText.of(none["of"])) without, \(PercentText.of(worse))."
  }

  /// Names a longer window that has enough entries at the current pace.
  private static func longer(than days: Int, for count: Int) -> String {
    let longer = State.windows.filter { $0 > days }
    let enough = longer.first { count > 0 && $0 * count >= Self.enough * days }
    if let enough { return "At this pace \(enough) d have as many: w shows them." }
    return longer.isEmpty
      ? "Longer windows may have as many: w goes on to all that is known." : "w shows longer windows."
  }
}
