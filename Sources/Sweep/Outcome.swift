import AppStore
import Subscriptions

/// What becomes of a receipt after one transfer: METRICS §1.6 and Apple's status, put into what a sweep does.
package enum Outcome: Hashable, Sendable {
  /// The answer carried data and passed its checks.
  case answer(Answer)
  /// Nothing was learned of the subscriptions.
  case failed(Failing)
  /// The receipt belongs to this environment, which has not been asked yet.
  case elsewhere(StoreEnvironment)
  /// 21004 is about the configuration and says nothing of the receipt.
  case secretRefused
}

/// A try that brought nothing.
package struct Failing: Hashable, Sendable {
  /// What such a failure is worth believing.
  package enum Kind: Hashable, Sendable {
    /// Apple's trouble, or that of the way there: it passes.
    case passing
    /// This answer made no sense for this receipt; the App Store as a whole may be well.
    case puzzling
    /// It holds purchases, and none of them is known to be the receipt's.
    case unproven
    /// It is longer than anything that is taken.
    case tooLong
    /// 21002: malformed, or Apple's trouble; only trying again tells.
    case malformed
    /// Asking again will not help, if it is true.
    case verdict
    /// 21010: the account is gone, if it is true.
    case gone
  }

  package var kind: Kind
  /// For a person; the same for the same failure, which is how a repetition is noticed.
  package var reason: String
  /// Seconds that the other side asked for.
  package var retryAfter: Int?

  package init(_ kind: Kind, _ reason: String, retryAfter: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter
  }
}

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
  /// The newer one that was sent instead.
  package var latest: ReceiptData?
  /// The chains that earlier answers showed it to hold.
  package var chains: Set<OriginalTransactionID> = []

  package init(asked: StoreEnvironment) { self.asked = asked }
}
