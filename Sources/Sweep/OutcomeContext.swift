import Subscriptions

/// Facts about a receipt that are needed to judge its answer.
package struct OutcomeContext: Sendable {
  package var asked: StoreEnvironment
  /// Whether the other environment had redirected the receipt here.
  package var isRerouted = false
  /// App that the receipt was imported for.
  package var app: BundleID?
  /// Apps that receipts may belong to; `nil` if none are configured.
  package var ourApps: Set<BundleID>?
  package var receipt: ReceiptData?
  /// Requests to the Server API; `nil` if verifyReceipt is used.
  var questions: CustomerQuestions?
  /// Newer receipt that was sent in place of `receipt`.
  package var latest: ReceiptData?
  /// Chains of the receipt that earlier answers contained.
  package var chains: Set<OriginalTransactionID> = []

  package init(asked: StoreEnvironment) { self.asked = asked }
}
