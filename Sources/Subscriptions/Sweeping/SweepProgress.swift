/// Progress of a running sweep, for display.
public struct SweepProgress: Hashable, Sendable {
  public enum Activity: Hashable, Sendable {
    case running
    case paused
    /// No request is sent, for the `reason`; `until` is in milliseconds since the sweep's start.
    case waiting(until: Int64, reason: String)
    /// The sweep commits the answers that it has received, then ends.
    case stopping
  }

  public var started: Instant
  /// Milliseconds since the start, by a monotonic clock.
  public var elapsed: Int64
  public var activity = Activity.running
  /// Receipts to sweep: an estimate at the start, which grows if more receipts are claimed.
  public var total: Int
  public var inFlight: Int
  /// Current limit of simultaneous transfers, adapted to the App Store's answers.
  public var concurrency = 0
  public var maximumConcurrency = 0
  /// Maximum requests per second; `nil` if unlimited.
  public var rateLimit: Double?
  public var waitingForRetry = 0
  public var latency: LatencyQuantiles?
  public var counts: SweepCounts
  public var statuses: [StatusTally] = []
  public var stoppedApps: [StoppedApp] = []

  public init(
    started: Instant, elapsed: Int64 = 0, total: Int = 0, inFlight: Int = 0,
    counts: SweepCounts = SweepCounts()
  ) {
    (self.started, self.elapsed, self.total, self.inFlight) = (started, elapsed, total, inFlight)
    self.counts = counts
  }

  public var receiptsPerSecond: Double { elapsed > 0 ? Double(counts.done) * 1000 / Double(elapsed) : 0 }
  public var left: Int { max(0, total - counts.done - counts.givenBack) }
}

/// Quantiles of request durations in milliseconds, from the established connection to the last byte.
public struct LatencyQuantiles: Hashable, Sendable, Encodable {
  public var p50: Double
  public var p95: Double

  public init(p50: Double, p95: Double) { (self.p50, self.p95) = (p50, p95) }
}

/// Number of answers, or of receipts by their last answer, with one `status` or Server API `errorCode`.
public struct StatusTally: Hashable, Sendable, Encodable {
  public var status: Int
  public var count: Int
  public var lastSeenAtMs: Instant
  public var exampleReceipt: ReceiptID

  public init(status: Int, count: Int, lastSeenAtMs: Instant, exampleReceipt: ReceiptID) {
    (self.status, self.count, self.lastSeenAtMs) = (status, count, lastSeenAtMs)
    self.exampleReceipt = exampleReceipt
  }
}

/// Reason why a sweep stopped early, or stopped sending the receipts of some apps.
public enum SweepStop: String, Hashable, Sendable, Codable, CaseIterable {
  /// Apple answered 21004 several times in a row, or to every request for the app.
  case secretRefused = "secret_refused"
  case noSecret = "no_secret"
  /// The configuration lists only other apps, and has neither a primary secret nor a primary key.
  case notOurs = "not_ours"
  /// Apple answered 401 several times in a row, or to every request for the app.
  case keyRefused = "key_refused"
  /// There is no Server API key, and the app's receipts cannot be sent instead.
  case noKey = "no_key"
  case untrusted
  case otherApp = "other_app"
  case unreachable
  case unavailable
  case interrupted

  /// Whether the reason concerns only some apps, such as a refused key; the sweep continues with other apps.
  public var isOfApps: Bool { ![.unreachable, .unavailable, .interrupted].contains(self) }
}

/// App whose receipts a sweep stopped sending.
public struct StoppedApp: Hashable, Sendable, Encodable {
  /// Reason that concerns the app (`SweepStop.isOfApps`).
  public typealias Reason = SweepStop

  /// Server API key that Apple refused.
  public struct RefusedKey: Hashable, Sendable, Encodable {
    public var keyID: String
    /// Milliseconds that this machine's clock is ahead of Apple's `Date` header; `nil` without that header.
    @ExplicitNull public var clockAheadMs: Int64?

    public init(keyID: String, clockAheadMs: Int64?) {
      (self.keyID, self.clockAheadMs) = (keyID, clockAheadMs)
    }
  }

  /// Bundle id of the app; `nil` for receipts whose app is unknown.
  @ExplicitNull public var bundleID: BundleID?
  public var reason: Reason
  @ExplicitNull public var refusedKey: RefusedKey?
  /// Reason why the last answer was refused, for `untrusted` and `otherApp`; not stored with the sweep.
  public var refusal: String?

  public init(bundleID: BundleID?, reason: Reason, refusedKey: RefusedKey? = nil, refusal: String? = nil) {
    (self.bundleID, self.reason, self.refusedKey) = (bundleID, reason, refusedKey)
    self.refusal = refusal
  }
}

/// Numbers of receipts that a sweep would process (`free`) and that other sweeps have leased (`held`).
public struct SweepEstimate: Hashable, Sendable {
  public var free: Int
  public var held: Int
  /// Receipts per second of the last sweeps; `nil` if unknown.
  public var rate: Double?

  public init(free: Int, held: Int = 0, rate: Double? = nil) {
    (self.free, self.held, self.rate) = (free, held, rate)
  }

  public func milliseconds(at rate: Double?) -> Int64? {
    guard let rate = rate ?? self.rate, rate > 0 else { return nil }
    return Int64(min(1e15, Double(free) / rate * 1000))
  }
}
