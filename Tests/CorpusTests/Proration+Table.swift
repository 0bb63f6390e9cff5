/// A row that a real customer upgraded away, by what METRICS §2 and §4 say of it at a price of 1,000.000000.
struct UpgradeVector {
  var isConfirmed: Bool
  /// The end of the successor's product id.
  var successor: String
  /// Worked out apart from the program, with whole numbers as fractions.
  var refundMicros: Int64

  static func confirmed(_ successor: String, _ refundMicros: Int64) -> Self {
    Self(isConfirmed: true, successor: successor, refundMicros: refundMicros)
  }

  static func estimated(_ successor: String, _ refundMicros: Int64) -> Self {
    Self(isConfirmed: false, successor: successor, refundMicros: refundMicros)
  }
}

/// Every upgrade of the corpus, by file and in the order of purchases.
let upgradeVectors: [String: [UpgradeVector]] = [
  "currently_trial2.json": [.confirmed("1year.pro", 104_972_608)],
  // The first was confirmed 32 h after the successor began.
  "debug_trial.json": [.confirmed("1year.2", 999_851_466), .confirmed("1year.1", 823_047_460)],
  "expired_sub.json": [.confirmed("1year.1", 894_938_657)],
  "interactive_renewal_bug.json": [.estimated("1month.pro", 261_106_631)],
  "missing_did_renew.json": [.confirmed("1year.1", 276_039_352), .confirmed("1month.pro", 34_180_265)],
  // The last was upgraded before it began: the whole price comes back.
  "multi-upgrades.json": [
    .confirmed("1year.1", 837_292_773), .confirmed("1month.pro", 965_297_121),
    .estimated("1month.pro", 1_000_000_000),
  ],
  "new_renewal_plus_updated.json": [.confirmed("1year.pro", 953_310_693)],
  "same_product_trial_after_expiration.json": [.confirmed("1year.pro", 223_813_910)],
  "subscription_event_upgrade.json": [.confirmed("1month.pro", 927_965_203)],
  "two-active-products.json": [.confirmed("1year.pro", 326_400_178)],
  "updated-purchase-bug.json": [.estimated("1year.pro", 3_083_352)],
  "updated_to_from_reference_bug.json": [.estimated("1year.pro", 425_598_776)],
  "upgrade-to-upgrade-from-test.json": [.confirmed("1year.1", 999_986_618)],
  "upgrade_receipt.json": [.confirmed("1month.1", 933_716_435)],
  "upgraded-not-cancelled-bug.json": [
    .confirmed("1year.1", 819_315_348), .estimated("1month.pro", 249_787_872),
  ],
  "upgraded-not-cancelled.json": [.estimated("1month.pro", 875_198_345)],
  "upgraded_revenue_precision.json": [.confirmed("1year.pro", 96_782_534)],
]
