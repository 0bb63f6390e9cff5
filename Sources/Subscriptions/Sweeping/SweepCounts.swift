/// Counters of a sweep; each finished receipt counts once, in `validated`, `retryLater` or `rejected`.
@dynamicMemberLookup public struct SweepCounts: Hashable, Sendable, Encodable {
  public var picked = 0
  /// Receipts with a recorded answer (status 0 or 21006): the sum of `unchanged` and `changed`.
  public var validated = 0
  public var unchanged = 0
  public var changed = 0
  public var news = AnswerNews()
  /// Receipts asked about in the other environment, after 21007, 21008, 4040010 or a 401 of production.
  public var rerouted = 0
  /// Attempts repeated in this sweep after a failure.
  public var retried = 0
  public var retryLater = 0
  /// Receipts whose failure is final, such as a deleted account (21010).
  public var rejected = 0
  /// Receipts released unchanged: the sweep ended, their app stopped, a key is missing, or a lease is lost.
  public var givenBack = 0
  /// Chains removed from answers because nothing shows that they belong to the receipt.
  public var leftOutChains = 0
  /// Answers by Apple's `status`, including 21007 and 21008, or by the Server API's `errorCode`.
  public var byStatus: [Int: Int] = [:]
  public var http: [Int: Int] = [:]
  public var transportErrors = 0

  public init() {}

  public var done: Int { validated + retryLater + rejected }
  public var requests: Int { http.values.reduce(transportErrors, +) }

  public subscript<Value>(dynamicMember path: WritableKeyPath<AnswerNews, Value>) -> Value {
    get { news[keyPath: path] }
    set { news[keyPath: path] = newValue }
  }

  /// Encodes only the counters that the store records.
  public func encode(to encoder: any Encoder) throws {
    try news.encode(to: encoder)
    try encoder.encode([
      "picked": picked, "validated": validated, "unchanged": unchanged, "changed": changed,
      "rerouted": rerouted, "retried": retried, "retryLater": retryLater, "rejected": rejected,
      "givenBack": givenBack, "transportErrors": transportErrors, "http": http,
    ])
  }
}

/// Counts of the new data in one or more answers.
public struct AnswerNews: Hashable, Sendable, Encodable {
  public var newTransactions = 0
  public var renewals = 0
  /// Refunds (CANCELLATION by customer support) and revocations of shared access.
  public var refunds = 0
  /// Lines whose state an answer changed, without new lines.
  public var stateChanges = 0

  public init(newTransactions: Int = 0, renewals: Int = 0, refunds: Int = 0, stateChanges: Int = 0) {
    (self.newTransactions, self.renewals, self.refunds) = (newTransactions, renewals, refunds)
    self.stateChanges = stateChanges
  }

  public static func += (left: inout Self, right: Self) {
    left.newTransactions += right.newTransactions
    left.renewals += right.renewals
    left.refunds += right.refunds
    left.stateChanges += right.stateChanges
  }
}
