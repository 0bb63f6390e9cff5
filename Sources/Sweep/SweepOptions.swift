import Glibc
import Subscriptions

/// How a sweep goes about its work.
public struct SweepOptions: Hashable, Sendable {
  public var production: AppStoreEndpoint
  public var sandbox: AppStoreEndpoint
  /// The Server API's addresses, before the path.
  public var serverAPI = AppStoreEndpoint.serverAPI
  public var serverAPISandbox = AppStoreEndpoint.serverAPISandbox
  /// Requests a second of each app at each address of the Server API; nil without a limit. Apple's own (2026): 50, and a tenth of it
  /// in the sandbox.
  public var serverAPIRate: Double? = 50
  /// Transfers at once at the most; how many there are depends on how the App Store takes them.
  public var concurrency: Int
  /// Requests a second at the most; nil without a limit.
  public var maximumRate: Double?
  /// Receipts at the most; nil takes all of the selection.
  public var limit: Int?
  public var limits: TransferLimits
  /// Requests for one receipt within a sweep, where the first failed in a way that may pass.
  public var tries = 3
  /// Between the tries of one sweep.
  public var pause = Backoff.withinSweep
  public var giveUpPolicy = GiveUpPolicy.standard
  /// Milliseconds after which an answer with the whole history is asked for; in between, `exclude-old-transactions` saves
  /// what is known. 0 always asks for everything.
  public var fullAnswerEvery = 7 * Milliseconds.day
  /// Milliseconds that receipts stay taken up without a sign of life.
  public var lease = Milliseconds.minute
  /// The apps that receipts may be of; nil where nobody said.
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

  /// With no more transfers at once than there may be connections, beside the files that a sweep has open.
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
