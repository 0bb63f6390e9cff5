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
        count("In grace (has access)", "grace.lines", Style(.warn, .bold), trend: true)
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
    let mrr = figures[amounts: "at_risk_mrr.billing_retry"]
    let atRisk = mrr.isEmpty ? "" : ", MRR \(MoneyText.brief(mrr))"
    let isConverted = MoneyText.converted(mrr) != nil
    func worth(of entry: UnpaidEntry) -> Money? { mrr.reporting.flatMap(entry.worth) }
    return Block(
      [
        TextSpan("In billing retry", .heading), TextSpan(atRisk, .money),
        TextSpan(", newest first", .heading),
      ], figures.unpaid,
      [
        .chain { $0.originalTransactionId },
        .user(priority: 3) { $0.appUserId }, .product(in: formatter) { $0.productId },
        Column(.whole("Expired", priority: 4).dated(formatter)) {
          StyledText(formatter.date($0.expiredAtMs), .dim)
        },
        Column(.number("Since expiry").named("days")) { StyledText("\($0.daysInRetry) d") },
        Column(.number("Left", priority: 2)) {
          StyledText(AgeText.of(max(0, $0.retryEndsAtMs - report.asOfMs)))
        },
        Column(.number("MRR", priority: 1)) { .money($0.amountMicros, $0.currency, unknown: "unknown") },
        .converted(to: mrr.reporting, in: glyphs) { isConverted ? worth(of: $0) : nil },
        // Share of Apple's 60 days of billing retry that has passed.
        .bar("of 60 d") { entry in
          let used = Double(entry.daysInRetry) / 60
          return RowBar(used, used < 0.25 ? .good : used < 0.7 ? .warn : .bad)
        }, .storefront(priority: 6) { $0.storefront },
      ], total: figures["lines"], emptyText: "No subscriptions in billing retry.", span: .main,
      minimumColumns: 70, records: .unpaid(figures.unpaid), in: glyphs
    ) {
      Listing.Row(
        id: "\($0.originalTransactionId) \($0.productId)", drillDown: .chain($0.originalTransactionId),
        amount: $0.mrr, worths: worth(of: $0).map { ["mrr": $0] } ?? [:])
    }
  }
}
