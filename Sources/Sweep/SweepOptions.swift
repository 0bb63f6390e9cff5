import Glibc
import Subscriptions

/// Settings of a sweep: endpoints, limits, and rules for retries.
public struct SweepOptions: Hashable, Sendable {
  public var production: AppStoreEndpoint
  public var sandbox: AppStoreEndpoint
  /// Addresses of the Server API, without a path.
  public var serverAPI = AppStoreEndpoint.serverAPI
  public var serverAPISandbox = AppStoreEndpoint.serverAPISandbox
  /// Requests a second for each app and address of the Server API; `nil` for no limit. Apple's limit (2026)
  /// is 50, and a tenth of that in the sandbox.
  public var serverAPIRate: Double? = 50
  /// Maximum number of transfers at once. The actual number adapts to the App Store.
  public var concurrency: Int
  public var maximumRate: Double?
  public var limit: Int?
  public var limits: TransferLimits
  /// Bytes of receipts and of uncommitted answers in memory, above which no more are claimed or requested.
  public var bytesInMemory = 8 << 20
  /// Maximum number of requests for one receipt in a sweep, if the failures may be temporary.
  public var tries = 3
  public var pause = Backoff.withinSweep
  public var giveUpPolicy = GiveUpPolicy.standard
  /// Milliseconds after which an answer with the whole history is requested again. Until then,
  /// `exclude-old-transactions` avoids repeating it. 0 always requests everything.
  public var fullAnswerEvery = 7 * Milliseconds.day
  /// Milliseconds until a claim expires if it is not renewed.
  public var lease = Milliseconds.minute
  public var ourApps: Set<BundleID>?

  public init(
    production: AppStoreEndpoint = .production, sandbox: AppStoreEndpoint = .sandbox, concurrency: Int = 16,
    limit: Int? = nil, limits: TransferLimits = TransferLimits()
  ) {
    self.production = production
    self.sandbox = sandbox
    self.concurrency = max(concurrency, 1)
    self.limit = limit.map { max($0, 0) }
    self.limits = limits
  }

  /// Returns a copy whose transfers do not exceed the limit of open files, less those that a sweep needs.
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

/// An error that prevents a sweep or ends it. What was committed before remains.
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

/// An event that a sweep reports to its watcher: progress repeatedly, then one end.
public enum SweepEvent: Sendable {
  case progress(SweepProgress)
  case finished(SweepSummary)
  case failed(SweepError)
}
