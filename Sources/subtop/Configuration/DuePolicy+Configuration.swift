import Subscriptions

extension DuePolicy {
  private static let keys: Set<String> = [
    "around_expiry", "trial", "active", "price_consent_pending", "overdue", "grace", "billing_retry",
    "lapsed",
    "long_lapsed", "long_lapsed_after", "jitter", "important",
  ]

  /// The table `[due]`: what it leaves out is as it is by default.
  init(_ table: ConfigurationTable) throws(Failure) {
    self.init()
    try table.refuseOthers(than: Self.keys)
    if let offsets = try table.offsets("around_expiry") { aroundExpiry = offsets.sorted() }
    if let jitter = try table.number("jitter", 0...0.5) { self.jitter = jitter }
    let spans: [(String, WritableKeyPath<DuePolicy, Int64>)] = [
      ("trial", \.trial), ("active", \.active), ("price_consent_pending", \.priceConsentPending),
      ("overdue", \.overdue), ("grace", \.grace), ("billing_retry", \.billingRetry), ("lapsed", \.lapsed),
      ("long_lapsed", \.longLapsed), ("long_lapsed_after", \.longLapsedAfter),
    ]
    for (key, path) in spans {
      if let span = try table.duration(key) { self[keyPath: path] = span }
    }
    if let important = try table.table("important") { self.important = try ImportantLines(important) }
  }
}

extension ImportantLines {
  /// The table `[due.important]`.
  init(_ table: ConfigurationTable) throws(Failure) {
    self.init()
    try table.refuseOthers(than: ["products", "users", "every", "within"])
    products = Set(try (table.texts("products") ?? []).map { ProductID($0) })
    users = Set(try (table.texts("users") ?? []).map { AppUserID($0) })
    if let every = try table.duration("every") { self.every = every }
    if let within = try table.duration("within") { self.within = within }
  }
}
