import Screen
import Subscriptions

/// The refunds panel: refunds by date of issue, and the refund rate of the window's purchases.
extension PanelContent {
  var refundsPanel: [Block?] {
    [
      chart("Refunds issued", ["count"], .columns, .bad),
      chart("Refunds at price", amount: "amount", .columns),
      card("Issued \(window)", 34) {
        count("Refunds", "count", Style(.bad, .bold), trend: true)
        money("at price", "amount", of: figures["count"], isPart: true, trend: true)
        part("without a price", "unpriced", .warn)
        count("One-time, apart", "one_time")
      },
      bars(
        "By reason", 44,
        [
          ("app issue", "by_reason.app_issue", .bad), ("other", "by_reason.other", .warn),
          ("unknown", "by_reason.unknown", .dim),
        ]),
      card("Bought \(window)", 34) {
        count("Paid transactions", "cohort.paid_transactions")
        part("refunded since", "cohort.refunded", .bad)
        Figure(
          "Refund rate", .share(figures["cohort.refunded"], of: figures["cohort.paid_transactions"]),
          opens: "cohort.refunded")
      },
      products(
        "Refunds by product", 46, emptyText: "No refund was issued.", ("Refunds", "count"), .bad,
        [.money("At price", "amount", of: "count", priority: 1, in: glyphs)]),
    ]
  }
}
