import Subscriptions

/// A figure's name for people, from its path in a panel's JSON: `by_intent.1.paid` is *Lost paid, 1 customer cancelled*.
struct FigureWords: Hashable, Sendable {
  let name: String

  /// A figure without a name here keeps its path.
  init(_ figure: String, of panel: Panel) {
    let parts = figure.split(separator: ".").map(String.init)
    let path = FigurePath(figure, of: panel)?.name
    name =
      Self.fixed[panel]?[figure] ?? panel.declared(parts) ?? Self.valued(parts) ?? path.flatMap {
        Self.fixed[panel]?[$0]
      } ?? figure
  }

  /// Names of figures of which there is one for each value of Apple's or the catalogue's.
  private static func valued(_ parts: [String]) -> String? {
    guard parts.count == 3 else { return nil }
    switch (parts[0], parts[2]) {
    case ("by_intent", let kind):
      let intent = parts[1] == "unknown" ? "unknown why" : "\(parts[1]) \(ExpirationIntent(parts[1]).name)"
      return "Lost \(kind), \(intent)"
    case ("renewals", let result):
      let period = Period(parsing: parts[1])?.words ?? "unlisted"
      return "Periods of \(period), \(result)"
    case ("due", let part):
      let days = Int64(parts[1]).map { AgeText.of($0 * Milliseconds.day) } ?? parts[1]
      return "Due in \(days)\(part == "lines" ? "" : ", \(part == "unpriced" ? "without a price" : part)")"
    default: return nil
    }
  }

  private static let autoRenew = [
    "renewing": "Auto-renew on", "auto_renew_off": "Auto-renew off",
    "auto_renew_unknown": "Auto-renew unknown",
  ]

  private static let periods = [
    "trials.ended": "Trials ended", "trials.converted": "Trials converted",
    "trials.converted_late": "Trials converted late", "arrivals.initial": "Began new",
    "arrivals.renewal": "Renewed", "arrivals.recovery": "Came back out of billing retry",
    "arrivals.unattributed": "Came back, unknown why", "arrivals.reactivation": "Resubscribed",
  ]

  private static let fixed: [Panel: [String: String]] = [
    .overview: [
      "active_paid": "Active paid", "trial": "Trials", "grace": "In grace", "overdue": "Overdue",
      "mrr": "MRR", "billing_retry": "Billing retry", "lost_paid": "Lost paid",
      "lost_trial": "Lost trials", "churn_rate": "Lost of those paid at the start", "refunds": "Refunds",
      "refund_amount": "Refunds at price", "prorated_refund": "Prorated refunds",
      "sales.transactions": "Paid purchases", "sales.unpriced": "Purchases without a price",
      "sales.amount": "Sales", "sales.proceeds": "Proceeds",
      "sales.after_one_year": "At 15 % after a paid year",
      "sales.small_business": "At 15 % in the Small Business Program",
      "cohort.paid_transactions": "Bought, paid", "cohort.refunded": "Bought and refunded since",
      "at_risk_mrr.billing_retry": "MRR at risk in billing retry",
      "at_risk_mrr.grace": "MRR at risk in grace",
    ].merging(autoRenew) { old, _ in old }.merging(periods) { old, _ in old },
    .active: [
      "paid": "Active paid", "trial": "Trials", "grace": "In grace", "overdue": "Overdue", "mrr": "MRR",
      "by_kind.standard": "Active at the standard price", "by_kind.intro": "Active on an intro offer",
      "by_kind.promo": "Active on a promo offer", "by_kind.code": "Active on an offer code",
    ].merging(autoRenew) { old, _ in old },
    .billingRetry: [
      "lines": "In billing retry", "grace.lines": "In grace",
      "at_risk_mrr.billing_retry": "MRR at risk in billing retry",
      "at_risk_mrr.grace": "MRR at risk in grace",
    ],
    .churn: [
      "lost_paid": "Lost paid", "lost_trial": "Lost trials", "refunded.paid": "Lost paid, refunded",
      "refunded.trial": "Lost trial, refunded", "voluntary": "Lost paid, voluntary",
      "involuntary": "Lost paid, involuntary", "churn_rate": "Lost of those paid at the start",
      "base_at_start": "Paid or in retry at the start",
    ].merging(periods) { old, _ in old },
    .refunds: [
      "count": "Refunds", "by_reason.app_issue": "Refunds for an app issue",
      "by_reason.other": "Refunds for another reason", "by_reason.unknown": "Refunds, unknown why",
      "amount": "Refunds at price", "unpriced": "Refunds without a price",
      "one_time": "Refunds of one-time purchases", "cohort.paid_transactions": "Bought, paid",
      "cohort.refunded": "Bought and refunded since",
    ],
    .upgrades: [
      "immediate.upgrade": "Upgrades at once", "immediate.crossgrade": "Crossgrades at once",
      "immediate.unranked": "Changes at once, unranked", "confirmed": "Upgrades dated by Apple",
      "estimated": "Upgrades dated by the successor", "prorated_refund": "Prorated refunds",
      "unpriced": "Upgrades without a price", "undated": "Upgrades that nothing dates",
      "at_renewal.downgrade": "Downgrades at renewal", "at_renewal.crossgrade": "Crossgrades at renewal",
      "at_renewal.unranked": "Changes at renewal, unranked", "pending": "Changes pending",
    ],
  ]
}

extension Panel {
  /// The words that a declared figure has of its own.
  fileprivate func declared(_ path: [String]) -> String? {
    guard path.count == 2, let group = declaredFigures?.first(where: { $0.name == path[0] }),
      let figure = group.figures.first(where: { $0.name == path[1] })
    else { return nil }
    return "\(group.label): \(figure.label.lowercased())"
  }
}
