import Subscriptions

/// What asking about one receipt came to.
public struct ReceiptOutcome: Sendable {
  public enum Result: Sendable {
    /// Status 0 or 21006, and checked to be about the receipt, its `latestReceipt` as well. Partial: `exclude-old-transactions` was asked for, so what it leaves out it says nothing of.
    case answered(Answer, status: Int, isPartial: Bool = false)
    /// What the Server API said of a customer, and checked to be about them. Partial: the history was asked for from a revision on.
    case signed(CustomerHistory, isPartial: Bool)
    /// Nothing is known that was not known before.
    case retryLater(status: Int?, reason: String, nextDue: Instant, rule: DuePolicy.Rule = .failed)
    /// Asking again will not help.
    case rejected(status: Int?, reason: String)
    /// Status 21010: the history stays, and nobody asks again.
    case accountGone
  }

  public var receipt: ReceiptID
  public var result: Result
  /// Whether the newer receipt that was sent instead of the imported one was refused, and is to be forgotten.
  public var isLatestRefused: Bool

  public init(receipt: ReceiptID, result: Result, isLatestRefused: Bool = false) {
    self.receipt = receipt
    self.result = result
    self.isLatestRefused = isLatestRefused
  }
}

/// What recording an outcome changed.
public enum RecordedOutcome: Hashable, Sendable {
  case unchanged
  case changed(AnswerNews)
  /// The answer was not for this receipt, which is as it was but for the reason kept.
  case refused(reason: String)
  /// Anything but an answer.
  case noted
  /// The sweep's lease had ended and the receipt may be another sweep's by now: what failed was not written. An answer is
  /// evidence whenever it comes, and is never lost.
  case lost
}
