import Subscriptions

/// An auto-renewable product of the fictional app, as defined in App Store Connect.
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
  /// Length of the Billing Grace Period; 0 if it is off.
  var graceDays: Int64 = 0
  var isFamilyShareable = false
  /// Percentage of the group's first purchases.
  let popularity: Int
}
