import Subscriptions

extension Course.Rise {
  /// What a rise of a figure means, by what its path speaks of.
  init(_ path: String, of panel: Panel) {
    let words = path.split(separator: ".").map(String.init)
    if panel == .movement, words.first == "mrr" {
      // Each has its sign, so that what was lost rises where less was.
      self = .good
    } else if words.contains(where: Self.unwelcome.contains)
      || (panel == .refunds && !path.hasPrefix("cohort.paid"))
    {
      self = .bad
    } else if panel == .billingRetry {
      self = words.last == "recovered" ? .good : .bad
    } else {
      self = words.contains(where: Self.welcome.contains) ? .good : .neutral
    }
  }

  private static let unwelcome: Set = [
    "lost", "lost_paid", "lost_trial", "trial_lost", "refunds", "refund_amount", "refunded", "churn_rate",
    "billing_retry", "at_risk_mrr", "grace", "overdue", "auto_renew_off", "trial_auto_renew_off", "by_intent",
    "voluntary", "involuntary", "to_retry", "to_overdue", "trial_to_retry", "trial_to_overdue", "contraction",
    "still_retrying", "unpriced", "lapsed", "turned_off", "at_stake", "at_stake_mrr",
  ]
  private static let welcome: Set = [
    "paid", "active_paid", "mrr", "trial", "trials", "renewing", "renewed", "converted", "recovered", "new",
    "returned",
    "resubscribed", "arrivals", "sales", "expansion", "trial_started", "paid_transactions", "agreed",
    "turned_on_again", "subscribers",
  ]
}
