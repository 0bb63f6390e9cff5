import Subscriptions

/// What is known of a receipt when its answer is judged.
package struct OutcomeContext: Sendable {
  /// Where the receipt was sent.
  package var asked: StoreEnvironment
  /// Whether the other environment had sent it here.
  package var isRerouted = false
  /// The app that the receipt was handed over for.
  package var app: BundleID?
  /// The apps that receipts may be of at all; nil where nobody said.
  package var ourApps: Set<BundleID>?
  /// As it was imported.
  package var receipt: ReceiptData?
  /// What the Server API is asked, in place of verifyReceipt.
  var questions: CustomerQuestions?
  /// The newer one that was sent instead.
  package var latest: ReceiptData?
  /// The chains that earlier answers showed it to hold.
  package var chains: Set<OriginalTransactionID> = []

  package init(asked: StoreEnvironment) { self.asked = asked }
}
