import Screen
import Subscriptions

/// The refunds panel: refunds by date of issue, and the refund rate of the window's purchases.
extension PanelContent {
  var refundsPanel: [Block?] {
    [
      chart("Refunds issued", ["count"], .columns, .bad),
      chart("Refund amount", amount: "amount", .columns),
      card("Issued \(window)", 34) {
        count("Refunds", "count", Style(.bad, .bold), trend: true)
        money("amount", "amount", of: figures["count"], isPart: true, trend: true)
        part("unpriced", "unpriced", .warn)
        count("One-time (separate)", "one_time")
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
        "Refunds by product", 46, emptyText: "No refunds.", ("Refunds", "count"), .bad,
        [.money("Amount", "amount", of: "count", priority: 1, in: glyphs)]),
    ]
  }
}
