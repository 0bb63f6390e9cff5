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
  /// What befell the app meanwhile; nil where there are no stories.
  var stories: Stories?
  /// Whose life is told (`LineLife+Told`).
  var isScripted = false
  /// Took the offer code of the campaign.
  var tookCode = false

  var isSandbox: Bool { environment == .sandbox }
  var isFamilyMember: Bool { ownership == .familyShared }

  private func number(_ serial: Int, _ kind: FakeID.Kind) -> String {
    FakeID(isSandbox: isSandbox, kind: kind, index: index, place: track * 512 + serial).text
  }

  func transactionID(_ serial: Int) -> TransactionID { TransactionID(number(serial, .transaction)) }
  var originalTransactionID: OriginalTransactionID { OriginalTransactionID(number(0, .transaction)) }
  func webOrderLineItemID(_ serial: Int) -> WebOrderLineItemID {
    WebOrderLineItemID(number(serial, .webOrderLineItem))
  }
}
