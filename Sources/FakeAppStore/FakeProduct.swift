import Subscriptions

/// One auto-renewable product of the fictional app, as App Store Connect would hold it.
struct FakeProduct: Sendable {
  let id: ProductID
  let group: SubscriptionGroupID
  /// Rank in the group; 1 is the highest.
  let level: Int
  let period: Period
  var trial: Period?
  var introPeriod: Period?
  var promotions: [String] = []
  var codes: [String] = []
  /// Length of the Billing Grace Period; 0 where it is off.
  var graceDays: Int64 = 0
  var isFamilyShareable = false
  /// How many of a hundred first purchases choose it.
  let popularity: Int
}

extension FakeProduct {
  /// What a customer can move up to, or across to, at once: a higher level, or the same level for the same time.
  var immediateChanges: [FakeProduct] {
    FakeCatalog.products.filter {
      $0.group == group && $0.id != id && $0.popularity > 0
        && ($0.level < level || ($0.level == level && $0.period == period))
    }
  }

  /// What a customer can only move to at the next renewal.
  var changesAtRenewal: [FakeProduct] {
    FakeCatalog.products.filter {
      $0.group == group && $0.id != id && $0.popularity > 0
        && ($0.level > level || ($0.level == level && $0.period != period))
    }
  }
}
