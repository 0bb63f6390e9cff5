import Glibc
import Subscriptions

/// Settings of a sweep: endpoints, limits, and rules for retries.
public struct SweepOptions: Hashable, Sendable {
  public var production: AppStoreEndpoint
  public var sandbox: AppStoreEndpoint
  public var serverAPI = AppStoreEndpoint.serverAPI
  public var serverAPISandbox = AppStoreEndpoint.serverAPISandbox
  /// Maximum requests per second for each app and endpoint of the Server API; `nil` for no limit.
  ///
  /// The sandbox gets a tenth of this rate. Apple's limits in 2026 are 50 in production and 5 in the sandbox.
  public var serverAPIRate: Double? = 50
  /// Maximum number of parallel transfers; the current number adapts to the App Store.
  public var concurrency: Int
  public var maximumRate: Double?
  public var limit: Int?
  public var limits: TransferLimits
  /// Bytes of queued receipts at which claiming pauses, and of uncommitted answers at which sending pauses.
  public var bytesInMemory = 8 << 20
  /// Maximum number of attempts to validate one receipt in a sweep, if the failures may be temporary.
  public var tries = 3
  public var pause = Backoff.withinSweep
  public var giveUpPolicy = GiveUpPolicy.standard
  /// Interval of complete answers in milliseconds; requests in between set `exclude-old-transactions`.
  public var fullAnswerEvery = 7 * Milliseconds.day
  /// Milliseconds until a claim expires if it is not renewed.
  public var lease = Milliseconds.minute
  public var ourApps: Set<BundleID>?

  public init(
    production: AppStoreEndpoint = .production, sandbox: AppStoreEndpoint = .sandbox, concurrency: Int = 16,
    limit: Int? = nil, limits: TransferLimits = TransferLimits()
  ) {
    (self.production, self.sandbox) = (production, sandbox)
    self.concurrency = max(concurrency, 1)
    self.limit = limit.map { max($0, 0) }
    self.limits = limits
  }

  func withinOpenFiles() -> SweepOptions {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return self }
    var options = self
    options.concurrency = min(concurrency, max(Int(clamping: limit.rlim_cur) - 40, 1))
    return options
  }

  func serverAPI(of environment: StoreEnvironment) -> AppStoreEndpoint {
    environment == .sandbox ? serverAPISandbox : serverAPI
  }

  var requestLimits: RequestLimits {
    RequestLimits(
      production: serverAPI.isLoopback ? nil : serverAPIRate,
      sandbox: serverAPISandbox.isLoopback ? nil : serverAPIRate.map { $0 / 10 })
  }

  func endpoint(of environment: StoreEnvironment) -> AppStoreEndpoint {
    environment == .sandbox ? sandbox : production
  }
}

/// Error that prevents a sweep or ends it; earlier commits remain.
public enum SweepError: Error, Hashable, Sendable, CustomStringConvertible {
  case store(String)
  /// libcurl could not start, or no token could be signed.
  case transport(String)

  public var description: String {
    switch self {
    case .store(let sentence): sentence
    case .transport(let text): "Cannot send requests to the App Store: \(text)."
    }
  }
}

/// Event that a sweep reports to its watcher: `progress` repeatedly, then `finished` or `failed` once.
public enum SweepEvent: Sendable {
  case progress(SweepProgress)
  case finished(SweepSummary)
  case failed(SweepError)
}
