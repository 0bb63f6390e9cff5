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
