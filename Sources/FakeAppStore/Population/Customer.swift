import Subscriptions

/// What is fixed about one line of a subscriber before it begins.
struct Customer: Sendable {
  var index: Int
  var seed: UInt64
  /// Sets the ids and the dice of the subscriber's lines apart.
  var track: Int
  var group: SubscriptionGroupID
  var starts: Instant
  var environment: StoreEnvironment = .production
  var ownership: OwnershipType = .purchased
  var appAccountToken: String?
  /// Multiplies everything that ends a subscription; a loyal customer's is small.
  var restlessness = 1.0
  /// Began shortly before the population was looked at first: such people are mostly trying it out.
  var isNewcomer = false
  /// The plan of the first customers, which the catalogue does not list.
  var isFounder = false
  /// Keeps to short plans: years of weekly renewals make a long receipt.
  var prefersWeekly = false

  var isSandbox: Bool { environment == .sandbox }
  var isFamilyMember: Bool { ownership == .familyShared }

  /// Ids of 15 digits in production; the sandbox's begin with 2000000. Four thousand a subscriber.
  func number(_ serial: Int, kind: Int) -> String {
    let place = Int64(index) * 4096 + Int64(track) * 512 + Int64(serial)
    if isSandbox { return String(2_000_000_000_000_000 + Int64(kind) * 500_000_000_000_000 + place) }
    let storefronts: [Int64] = [12, 23, 30, 45, 47, 54, 70, 72]
    let storefront = storefronts[Int(SplitMix64.mixed(UInt64(index)) % 8)]
    return String((storefront * 10 + Int64(kind)) * 1_000_000_000_000 + place)
  }

  func transactionID(_ serial: Int) -> TransactionID { TransactionID(number(serial, kind: 0)) }
  var originalTransactionID: OriginalTransactionID { OriginalTransactionID(number(0, kind: 0)) }
  func webOrderLineItemID(_ serial: Int) -> WebOrderLineItemID { WebOrderLineItemID(number(serial, kind: 1)) }
}
