import Subscriptions

/// How a sweep goes about its work.
public struct SweepOptions: Hashable, Sendable {
  public var production: AppStoreEndpoint
  public var sandbox: AppStoreEndpoint
  /// Transfers at once.
  public var concurrency: Int
  /// Receipts at the most; nil takes all of the selection.
  public var limit: Int?
  public var limits: TransferLimits
  public var backoff: Backoff

  public init(
    production: AppStoreEndpoint = .production, sandbox: AppStoreEndpoint = .sandbox, concurrency: Int = 16,
    limit: Int? = nil, limits: TransferLimits = TransferLimits(), backoff: Backoff = .standard
  ) {
    self.production = production
    self.sandbox = sandbox
    self.concurrency = max(concurrency, 1)
    self.limit = limit.map { max($0, 0) }
    self.limits = limits
    self.backoff = backoff
  }

  func endpoint(of environment: StoreEnvironment) -> AppStoreEndpoint {
    environment == .sandbox ? sandbox : production
  }
}
