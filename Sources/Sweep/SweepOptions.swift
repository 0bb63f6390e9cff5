/// How a sweep goes about its work.
public struct SweepOptions: Hashable, Sendable {
  public var production: AppStoreEndpoint
  public var sandbox: AppStoreEndpoint
  /// Transfers at once.
  public var concurrency: Int
  public var limits: TransferLimits
  public var backoff: Backoff

  public init(
    production: AppStoreEndpoint = .production, sandbox: AppStoreEndpoint = .sandbox, concurrency: Int = 16,
    limits: TransferLimits = TransferLimits(), backoff: Backoff = .standard
  ) {
    self.production = production
    self.sandbox = sandbox
    self.concurrency = max(concurrency, 1)
    self.limits = limits
    self.backoff = backoff
  }
}
