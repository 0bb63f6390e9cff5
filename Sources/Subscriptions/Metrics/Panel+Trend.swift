extension Panel {
  /// The figures of a state, as the panel names them.
  public struct StateFigures: Sendable {
    public var paid: String?
    public var trial: String?
    public var mrr: String?
    public var grace: String?
    public var billingRetry: String?
  }

  /// Those that a trend follows; nil where the panel has none.
  public var stateFigures: StateFigures? {
    switch self {
    case .overview:
      StateFigures(
        paid: "active_paid", trial: "trial", mrr: "mrr", grace: "grace", billingRetry: "billing_retry")
    case .active: StateFigures(paid: "paid", trial: "trial", mrr: "mrr", grace: "grace")
    case .billingRetry: StateFigures(grace: "grace.lines", billingRetry: "lines")
    case .churn, .refunds, .upgrades, .events: nil
    }
  }

  /// The name under which a trend follows the number of events, which are no figure's rows.
  public static let eventCount = "count"

  /// Whether a figure is the sum of its rows' amounts in a trend, instead of their number.
  public func isAmount(_ figure: String) -> Bool {
    switch self {
    case .overview: ["mrr", "refund_amount", "prorated_refund", "sales.amount"].contains(figure)
    case .active: figure == "mrr"
    case .refunds: figure == "amount"
    case .upgrades: figure == "prorated_refund"
    case .billingRetry, .churn, .events: false
    }
  }

  /// Whether a figure is of what happened in the window, not of a state now or at its start.
  public func happens(_ figure: String) -> Bool {
    switch self {
    case .overview:
      ![
        "active_paid", "trial", "grace", "overdue", "mrr", "billing_retry", "churn_rate", "renewing",
        "auto_renew_off", "auto_renew_unknown", "cohort.refunded",
      ].contains(figure) && !figure.hasPrefix("due.") && !figure.hasPrefix("at_risk_mrr.")
    case .active, .billingRetry: false
    case .churn: !["active_paid_at_start", "churn_rate"].contains(figure)
    case .upgrades: figure != "pending"
    // What comes back of a cohort does so after the cohort was bought.
    case .refunds: figure != "cohort.refunded"
    case .events: true
    }
  }

  /// Whether a figure of what happened is judged by renewal infos.
  func needsRenewalInfo(_ figure: String) -> Bool {
    guard self == .overview || self == .churn else { return false }
    return [
      "lost_paid", "lost_trial", "voluntary", "involuntary", "arrivals.recovery", "arrivals.unattributed",
    ].contains(figure)
      || ["by_intent.", "refunded."].contains { figure.hasPrefix($0) }
      || (figure.hasPrefix("renewals.") && (figure.hasSuffix(".pending") || figure.hasSuffix(".lost")))
  }
}
