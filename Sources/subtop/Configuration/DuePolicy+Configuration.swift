import Subscriptions

extension DuePolicy {
  /// The table `[due]`.
  static let keys: [ConfigurationKey<DuePolicy>] = [
    .offsets("around_expiry", \.aroundExpiry, "Around an expiry: so long before it and after it."),
    .span("trial", \.trial, "During a trial."),
    .span("active", \.active, "In mid-period."),
    .span(
      "price_consent_pending", \.priceConsentPending,
      "While a price increase waits for the customer's consent."),
    .span("overdue", \.overdue, "Expired by the clock, and nobody has asked since."),
    .span("grace", \.grace, "In the billing grace period."),
    .span("billing_retry", \.billingRetry, "In billing retry, which ends on its 60th day."),
    .span("lapsed", \.lapsed, "Lapsed, until long_lapsed_after has passed."),
    .span("long_lapsed_after", \.longLapsedAfter, ""),
    .span("long_lapsed", \.longLapsed, "Lapsed for longer than that."),
    .number(
      "jitter", \.jitter, in: 0...0.5,
      "Each wait is shortened by up to this share of it, 0 to 0.5, so that receipts do not come due all at once."
    ),
  ]

  /// What the table leaves out stays as it is by default.
  init(_ table: ConfigurationTable) throws(Failure) {
    self.init()
    try Self.keys.read(table, into: &self, beside: ["important"])
    guard let inner = try table.table("important") else { return }
    try ImportantLines.keys.read(inner, into: &important)
  }
}

extension ImportantLines {
  /// The table `[due.important]`.
  static let keys: [ConfigurationKey<ImportantLines>] = [
    .texts("products", \.products, { ProductID($0) }, \.rawValue, "Product ids."),
    .texts("users", \.users, { AppUserID($0) }, \.rawValue, "App user ids."),
    .span("every", \.every, "How often, in the time before the expiry that within gives."),
    .span("within", \.within, ""),
  ]
}
