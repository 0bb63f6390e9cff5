/// What a sweep has counted. Each receipt that is done is in exactly one of `validated`, `retryLater` and `rejected`.
public struct SweepCounts: Hashable, Sendable {
  /// Receipts taken up.
  public var picked = 0
  /// Receipts whose answer carried data (status 0 or 21006) and was recorded: `unchanged` and `changed` together.
  public var validated = 0
  public var unchanged = 0
  public var changed = 0
  /// What the changed ones brought.
  public var news = AnswerNews()
  /// Receipts sent on to the other environment, on 21007 or 21008.
  public var rerouted = 0
  /// Requests made once more within the sweep, after a failure that passes.
  public var retried = 0
  /// Receipts left as they were, to be tried again later.
  public var retryLater = 0
  /// Receipts that are not asked about again: not authentic, another app's, or of a deleted account (21010).
  public var rejected = 0
  /// Receipts given back untouched: their app was stopped, or the sweep ended before their turn.
  public var givenBack = 0
  /// Chains left out of answers, since neither the receipt nor the store shows that they are the receipt's.
  public var leftOutChains = 0
  /// Answers by Apple's `status`, those that rerouted included.
  public var byStatus: [Int: Int] = [:]
  /// Answers by HTTP status.
  public var http: [Int: Int] = [:]
  /// Transfers that brought no answer.
  public var transportErrors = 0

  public init() {}

  /// Receipts that this sweep is through with.
  public var done: Int { validated + retryLater + rejected }
  public var newTransactions: Int {
    get { news.newTransactions }
    set { news.newTransactions = newValue }
  }
  /// Requests sent and ended.
  public var requests: Int { http.values.reduce(transportErrors, +) }
}

/// What an answer, or a sweep's answers together, brought that was not known.
public struct AnswerNews: Hashable, Sendable {
  public var newTransactions = 0
  /// RENEWAL events.
  public var renewals = 0
  /// Refunds (CANCELLATION by customer support) and revocations of shared access.
  public var refunds = 0
  /// Lines that are in another state than they were judged to be in before.
  public var stateChanges = 0

  public init(newTransactions: Int = 0, renewals: Int = 0, refunds: Int = 0, stateChanges: Int = 0) {
    self.newTransactions = newTransactions
    self.renewals = renewals
    self.refunds = refunds
    self.stateChanges = stateChanges
  }

  public static func += (left: inout Self, right: Self) {
    left.newTransactions += right.newTransactions
    left.renewals += right.renewals
    left.refunds += right.refunds
    left.stateChanges += right.stateChanges
  }
}
