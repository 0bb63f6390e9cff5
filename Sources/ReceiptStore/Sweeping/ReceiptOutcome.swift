import Subscriptions

/// Outcome of asking about one receipt.
public struct ReceiptOutcome: Sendable {
  public enum Result: Sendable {
    /// Status 0 or 21006, with an answer and `latestReceipt` verified to be about the receipt. With
    /// `isPartial`, the request had `exclude-old-transactions`, so omitted transactions prove nothing.
    case answered(Answer, status: Int, isPartial: Bool = false)
    /// Verified history of a customer from the Server API. With `isPartial`, it starts at a revision.
    case signed(CustomerHistory, isPartial: Bool)
    /// A failure that may pass.
    case retryLater(status: Int?, reason: String, nextDue: Instant, rule: DuePolicy.Rule = .failed)
    /// A permanent failure.
    case rejected(status: Int?, reason: String)
    /// Status 21010: the history is kept, and the receipt is never asked about again.
    case accountGone
  }

  public var receipt: ReceiptID
  public var result: Result
  /// Whether the newer receipt, sent instead of the imported one, was refused and must be dropped.
  public var isLatestRefused: Bool

  public init(receipt: ReceiptID, result: Result, isLatestRefused: Bool = false) {
    self.receipt = receipt
    self.result = result
    self.isLatestRefused = isLatestRefused
  }
}

/// Result of recording an outcome.
public enum RecordedOutcome: Hashable, Sendable {
  case unchanged
  case changed(AnswerNews)
  /// The answer was not for this receipt. Only the reason was recorded.
  case refused(reason: String)
  /// There was no answer to record.
  case noted
  /// The lease had ended, so another sweep may have the receipt, and the failure was not recorded. Answers
  /// are always recorded.
  case lost
}
