extension Panel {
  /// The name under which a trend follows the number of events, which are no figure's rows.
  public static let eventCount = "count"

  /// What Apple leaves of a sale, which no trend follows.
  static let proceeds = "sales.proceeds"

  /// Whether a trend follows where lines stand; pending changes are figures of the instant alone.
  public var followsBalances: Bool { [.overview, .active, .billingRetry].contains(self) }

  /// Whether it follows what lines did.
  public var followsChanges: Bool { self == .overview || self == .churn }

  /// Whether a figure is the sum of its rows' amounts in a trend, instead of their number.
  public func isAmount(_ figure: String) -> Bool {
    switch self {
    case .overview:
      isRevenue(figure) || ["refund_amount", "prorated_refund", "sales.amount"].contains(figure)
    case .active: isRevenue(figure)
    case .refunds: figure == "amount"
    case .upgrades: figure == "prorated_refund"
    case .billingRetry: isRevenue(figure)
    case .churn, .events: false
    case .movement: figure.hasPrefix("mrr.")
    }
  }

  /// Whether a figure is of what happened in the window, not of a state now or at its start.
  public func happens(_ figure: String) -> Bool {
    switch self {
    case .overview:
      ![
        "active_paid", "trial", "grace", "overdue", "mrr", "billing_retry", "churn_rate", "renewing",
        "auto_renew_off", "auto_renew_unknown", "cohort.refunded", Self.proceeds,
      ].contains(figure) && !figure.hasPrefix("due.") && !figure.hasPrefix("at_risk_mrr.")
    case .active, .billingRetry: false
    case .churn: !["base_at_start", "churn_rate"].contains(figure)
    case .upgrades: figure != "pending"
    // What comes back of a cohort does so after the cohort was bought.
    case .refunds: figure != "cohort.refunded"
    case .events: true
    case .movement: !figure.hasSuffix(".start") && !figure.hasSuffix(".end")
    }
  }
}
