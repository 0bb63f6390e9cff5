import Screen
import Subscriptions

/// The billing-retry panel: lines that Apple still tries to bill, and the MRR at risk.
extension PanelContent {
  var billingRetryPanel: [Block?] {
    [
      chart("In billing retry", ["lines"], .line, .bad), chart("In grace", ["grace.lines"], .line, .warn),
      card("Unpaid", 28) {
        count("Billing retry", "lines", Style(.bad, .bold), trend: true)
        Figure.part("users", figures["users"], opens: "lines")
        count("Grace, with access", "grace.lines", Style(.warn, .bold), trend: true)
        Figure.part("users", figures["grace.users"], opens: "grace.lines")
      },
      card("Monthly revenue at risk", 34) {
        money("Billing retry", "at_risk_mrr.billing_retry", of: figures["lines"])
        money("Grace", "at_risk_mrr.grace", of: figures["grace.lines"])
      }, productBars, list,
    ]
  }

  private var productBars: Block {
    let bars = figures[parts: "by_product"].prefix(8).map {
      FigureBar(
        formatter.products.name(of: $0.product), $0["lines"], .bad, drillDown: .product($0.product))
    }
    return Block(
      "In retry by product", .bars(bars.shares(of: figures["lines"])), span: .extra, minimumColumns: 44)
  }

  private var list: Block {
    let isLocated = figures.unpaid.contains { $0.storefront != nil }
    return Block(
      "In billing retry, the newest first", figures.unpaid,
      [
        .chain { $0.originalTransactionId },
        .user(priority: 3) { $0.appUserId }, .product(in: formatter) { $0.productId },
        Column(.whole("Expired", priority: 4)) { StyledText(formatter.date($0.expiredAtMs), .dim) },
        Column(.number("Since expiry").named("days")) { StyledText("\($0.daysInRetry) d") },
        Column(.number("Left", priority: 2)) {
          StyledText(AgeText.of(max(0, $0.retryEndsAtMs - report.asOfMs)))
        },
        // Share of Apple's 60 days of billing retry that has passed.
        .bar("of 60 d") { entry in
          let used = Double(entry.daysInRetry) / 60
          return RowBar(used, used < 0.25 ? .good : used < 0.7 ? .warn : .bad)
        }, .storefront(priority: 6, isPresent: isLocated) { $0.storefront },
      ], total: figures["lines"], emptyText: "No subscription is in billing retry.", span: .main,
      minimumColumns: 70, in: glyphs
    ) {
      Listing.Row(
        id: "\($0.originalTransactionId) \($0.productId)", drillDown: .chain($0.originalTransactionId))
    }
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
