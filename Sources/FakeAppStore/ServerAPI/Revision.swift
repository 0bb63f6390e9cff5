import Subscriptions

/// Up to where a client has read a customer's history: the row that was modified last of those, and when.
struct Revision: Hashable, Sendable {
  let modified: Instant
  let transactionID: String

  init(modified: Instant, transactionID: String) {
    (self.modified, self.transactionID) = (modified, transactionID)
  }

  /// Nil where it is none.
  init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), milliseconds >= 0 else { return nil }
    self.init(modified: Instant(milliseconds: milliseconds), transactionID: String(parts[1]))
  }

  var text: String { "\(modified.rawValue)_\(transactionID)" }

  /// Before everything.
  static func beginning(of subscriber: Subscriber) -> Self {
    Self(modified: Instant(milliseconds: 0), transactionID: subscriber.appTransactionID)
  }
}
