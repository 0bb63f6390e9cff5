/// How far a running sweep is.
public struct SweepProgress: Hashable, Sendable {
  /// What the sweep is doing about new requests.
  public enum Activity: Hashable, Sendable {
    case running
    /// Somebody paused it.
    case paused
    /// The App Store asked for time, or is failing. Milliseconds from the start, as `elapsed`.
    case waiting(until: Int64, reason: String)
    /// Commits what has come back.
    case stopping
  }

  public var started: Instant
  /// Milliseconds since the start, by a clock that nobody sets.
  public var elapsed: Int64
  public var activity = Activity.running
  /// Receipts to be swept in all, as far as the store could tell at the start.
  public var total: Int
  /// Transfers on the wire.
  public var inFlight: Int
  /// Transfers that it allows itself at once, by how the App Store has been answering.
  public var concurrency = 0
  public var maximumConcurrency = 0
  /// Requests a second at the most; nil without a limit.
  public var rateLimit: Double?
  /// Receipts to be asked about again within this sweep.
  public var waitingForRetry = 0
  /// Of the newest requests.
  public var latency: LatencyQuantiles?
  public var counts: SweepCounts
  /// By Apple's status, in its order.
  public var statuses: [StatusTally] = []
  /// Apps whose receipts are not sent any more.
  public var stoppedApps: [StoppedApp] = []

  public init(
    started: Instant, elapsed: Int64 = 0, total: Int = 0, inFlight: Int = 0,
    counts: SweepCounts = SweepCounts()
  ) {
    self.started = started
    self.elapsed = elapsed
    self.total = total
    self.inFlight = inFlight
    self.counts = counts
  }

  /// Receipts done a second since the start.
  public var receiptsPerSecond: Double { elapsed > 0 ? Double(counts.done) * 1000 / Double(elapsed) : 0 }
  /// Receipts that are still to come.
  public var left: Int { max(0, total - counts.done - counts.givenBack) }
}

/// How long requests took, from the first byte sent to the last received, in milliseconds.
public struct LatencyQuantiles: Hashable, Sendable, Encodable {
  public var p50: Double
  public var p95: Double

  public init(p50: Double, p95: Double) {
    self.p50 = p50
    self.p95 = p95
  }
}

/// How often Apple gave one status.
public struct StatusTally: Hashable, Sendable, Encodable {
  public var status: Int
  public var count: Int
  public var lastSeenAtMs: Instant
  /// One of the receipts that it was given for.
  public var exampleReceipt: ReceiptID

  public init(status: Int, count: Int, lastSeenAtMs: Instant, exampleReceipt: ReceiptID) {
    self.status = status
    self.count = count
    self.lastSeenAtMs = lastSeenAtMs
    self.exampleReceipt = exampleReceipt
  }
}

/// An app whose receipts a sweep stopped sending.
public struct StoppedApp: Hashable, Sendable, Encodable {
  public enum Reason: String, Hashable, Sendable, Codable {
    /// Apple answered 21004 several times in a row.
    case secretRefused = "secret_refused"
    /// There is no shared secret for it.
    case noSecret = "no_secret"
    /// The configuration lists other apps, and no primary secret.
    case notOurs = "not_ours"
    /// Apple answered 401 several times in a row.
    case keyRefused = "key_refused"
    /// There is no key for the Server API, and nothing else to ask with.
    case noKey = "no_key"
    /// Nobody trusted has signed the answers of the Server API.
    case untrusted
    /// The answers of the Server API are of another app.
    case otherApp = "other_app"
  }

  /// The key that was refused, for whoever looks for the cause.
  public struct RefusedKey: Hashable, Sendable, Encodable {
    public var keyID: String
    /// Milliseconds that this machine's clock is ahead of Apple's `Date`; nil where Apple told none.
    @ExplicitNull public var clockAheadMs: Int64?

    public init(keyID: String, clockAheadMs: Int64?) {
      self.keyID = keyID
      self.clockAheadMs = clockAheadMs
    }
  }

  /// Nil for receipts whose app is not known yet.
  @ExplicitNull public var bundleID: BundleID?
  public var reason: Reason
  @ExplicitNull public var refusedKey: RefusedKey?
  /// Why the last answer was refused, where nobody trusted has signed it or it is of another app; a sweep itself tells it, its record does not.
  public var refusal: String?

  public init(bundleID: BundleID?, reason: Reason, refusedKey: RefusedKey? = nil, refusal: String? = nil) {
    self.bundleID = bundleID
    self.reason = reason
    self.refusedKey = refusedKey
    self.refusal = refusal
  }
}
