import Subscriptions

/// Outcome of one transfer for a receipt, derived from Apple's status by METRICS §1.6.
package enum Outcome: Hashable, Sendable {
  /// The answer carried data and passed its checks.
  case answer(Answer)
  /// No information about the subscriptions.
  case failed(FailedAttempt)
  /// The receipt belongs to this environment, which has not been asked yet.
  case elsewhere(StoreEnvironment)
  /// 21004, which is about the configuration and not about the receipt.
  case secretRefused
  /// 401, which is about the key of the Server API. The value is the number of milliseconds that this
  /// machine's clock is ahead of Apple's; `nil` if Apple sent no time.
  case keyRefused(clockAhead: Int64?)
  /// The Server API returned a part of the history. `ResponseClassification.questions` asks for the rest.
  case unfinished
  /// The Server API returned the whole history of a customer, and it passed its checks.
  case history(CustomerHistory)
}
