import Subscriptions

/// What becomes of a receipt after one transfer: METRICS §1.6 and Apple's status, put into what a sweep does.
package enum Outcome: Hashable, Sendable {
  /// The answer carried data and passed its checks.
  case answer(Answer)
  /// Nothing was learned of the subscriptions.
  case failed(FailedAttempt)
  /// The receipt belongs to this environment, which has not been asked yet.
  case elsewhere(StoreEnvironment)
  /// 21004 is about the configuration and says nothing of the receipt.
  case secretRefused
  /// 401 is about the key of the Server API. Milliseconds that this machine's clock is ahead of Apple's; nil where Apple told no time.
  case keyRefused(clockAhead: Int64?)
  /// The Server API told a part of the whole, and is to be asked on: `ResponseClassification.questions`.
  case unfinished
  /// The Server API has told the whole of a customer, and it passed its checks.
  case history(CustomerHistory)
}
