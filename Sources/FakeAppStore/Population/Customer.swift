import Subscriptions

/// Fixed properties of a subscriber's line, known before it begins.
struct Customer: Sendable {
  var index: Int
  var seed: UInt64
  /// Distinguishes the ids and random numbers of the subscriber's lines.
  var track: Int
  var group: SubscriptionGroupID
  var starts: Instant
  var environment: StoreEnvironment = .production
  var ownership: OwnershipType = .purchased
  var appAccountToken: String?
  /// Factor for the odds of cancellations, billing failures, refunds and changes of plan. Small for loyal
  /// customers.
  var restlessness = 1.0
  /// Started shortly before the founding. Most newcomers are in a trial.
  var isNewcomer = false
  /// Uses the plan of the first customers, which the catalogue does not list.
  var isFounder = false
  /// Uses weekly plans only, so that years of renewals make a long receipt.
  var prefersWeekly = false
  /// Events of the app's past; `nil` without stories.
  var stories: Stories?
  /// Whether the life is scripted (`LineLife+Scripted`).
  var isScripted = false
  /// Used the offer code of the campaign.
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
