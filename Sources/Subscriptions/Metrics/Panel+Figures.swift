extension Panel {
  /// The figures that open into rows, by their paths in the panel's JSON; `*` stands for a value of Apple's or the
  /// catalogue's. `churn_rate` opens into its numerator.
  ///
  /// `FigurePath` reads further paths, which open into the rows of one of these.
  public var figureNames: [String] {
    switch self {
    case .overview:
      [
        "active_paid", "trial", "grace", "overdue", "mrr", "billing_retry", "lost_paid", "lost_trial",
        "refunds",
        "refund_amount",
        "prorated_refund", "churn_rate", "by_intent.*.paid", "by_intent.*.trial", "sales.transactions",
        "sales.unpriced", "sales.amount", "sales.proceeds",
        "sales.after_one_year", "sales.small_business", "cohort.paid_transactions", "cohort.refunded",
        "at_risk_mrr.billing_retry", "at_risk_mrr.grace",
      ] + Self.autoRenewNames + DueFigures.horizons.flatMap { DueFigures.names(within: $0) }
        + Self.periodNames
    case .active:
      ["paid", "trial", "grace", "overdue", "mrr"]
        + PeriodKind.allCases.filter(\.isPaid).map { "by_kind.\($0)" }
        + Self.autoRenewNames
    case .billingRetry: ["lines", "grace.lines", "at_risk_mrr.billing_retry", "at_risk_mrr.grace"]
    case .churn:
      [
        "lost_paid", "lost_trial", "by_intent.*.paid", "by_intent.*.trial", "refunded.paid", "refunded.trial",
        "voluntary", "involuntary", "churn_rate", "base_at_start",
      ] + Self.periodNames
    case .refunds:
      [
        "count", "by_reason.app_issue", "by_reason.other", "by_reason.unknown", "amount", "unpriced",
        "one_time",
        "cohort.paid_transactions", "cohort.refunded",
      ]
    case .upgrades:
      [
        "immediate.upgrade", "immediate.crossgrade", "immediate.unranked", "confirmed", "estimated",
        "prorated_refund", "unpriced", "undated", "at_renewal.downgrade", "at_renewal.crossgrade",
        "at_renewal.unranked", "pending",
      ]
    case .events: []
    case .movement: Movement.groups.flatMap { group in group.figures.map(group.path) }
    }
  }

  private static let autoRenewNames = ["renewing", "auto_renew_off", "auto_renew_unknown"]

  /// What became of periods, and how they came about.
  private static let periodNames =
    ["due", "renewed", "recovered", "pending", "lost"].map { "renewals.*.\($0)" }
    + ["trials.ended", "trials.converted", "trials.converted_late"]
    + Arrival.allCases.map { "arrivals.\($0)" }

  /// Whether the panel has a figure of this name, whatever it is now.
  public func hasFigure(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return figureNames.contains { pattern in
      let wanted = pattern.split(separator: ".")
      return wanted.count == parts.count && zip(wanted, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }
  }
}
