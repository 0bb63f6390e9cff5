/// Result of a sweep, which `sweep --format json` prints.
public struct SweepSummary: Hashable, Sendable {
  /// Reason that a sweep or some of its apps stopped early.
  public enum Stop: String, Hashable, Sendable, Codable, CaseIterable {
    case secretRefused = "secret_refused"
    case noSecret = "no_secret"
    case notOurs = "not_ours"
    case keyRefused = "key_refused"
    case noKey = "no_key"
    case untrusted
    case otherApp = "other_app"
    case unreachable
    case unavailable
    case interrupted

    public var meaning: String {
      switch self {
      case .secretRefused: "Apple refused an app's shared secret (21004); its receipts are unchanged"
      case .noSecret: "an app has no shared secret; its receipts were not sent"
      case .notOurs: "receipts of apps that the configuration does not list were not sent"
      case .keyRefused:
        "Apple refused an app's Server API key (401); its customers are unchanged"
      case .noKey: "an app has no Server API key; its customers were not checked"
      case .untrusted: "the Server API's answers for an app have no trusted signature"
      case .otherApp: "the Server API's answers for an app are about another app"
      case .unreachable: "none of the first requests reached the App Store"
      case .unavailable:
        "the App Store kept failing, or asked for a longer pause than a sweep waits"
      case .interrupted: "it was interrupted"
      }
    }

    /// Whether the reason concerns some apps' secrets, keys or signatures, while other apps were swept.
    public var isOfApps: Bool {
      switch self {
      case .secretRefused, .noSecret, .notOurs, .keyRefused, .noKey, .untrusted, .otherApp: true
      case .unreachable, .unavailable, .interrupted: false
      }
    }
  }

  public var started: Instant
  /// End of the sweep by the clock of `started`, which runs fast in the demo.
  public var ended: Instant
  /// Real milliseconds from start to end, used for rates.
  public var elapsed: Int64
  public var counts: SweepCounts
  public var stopped: Stop?
  public var stoppedApps: [StoppedApp] = []
  /// End of the delay that the App Store asked for with `Retry-After`.
  public var notBeforeMs: Instant?
  /// Receipts of the selection that other sweeps still hold at the end.
  public var held = 0
  /// Customers returned to the queue because only an id is known and there is no Server API key.
  public var waitingForKey = 0
  /// Examples of receipts whose answers contained chains that were removed.
  public var leftOutOf: [ReceiptID] = []
  public var latency: LatencyQuantiles?
  public var statuses: [StatusTally] = []
  /// libcurl's message for the last request without an answer.
  public var lastTransportError: String?
  public var failures: [FailureTally] = []

  public init(started: Instant, elapsed: Int64, counts: SweepCounts, stopped: Stop? = nil) {
    (self.started, ended) = (started, started + elapsed)
    (self.elapsed, self.counts, self.stopped) = (elapsed, counts, stopped)
  }

  /// Milliseconds from the end to `notBeforeMs`; `nil` if less than a second.
  public var silence: Int64? {
    notBeforeMs.map { $0 - ended }.flatMap { $0 >= Milliseconds.second ? $0 : nil }
  }

  /// Duration in milliseconds by the clock of `started`, as stored in the sweep's record.
  public var length: Int64 { max(0, ended - started) }

  public var seconds: Double { Double(elapsed) / 1000 }
  public var receiptsPerSecond: Double { elapsed > 0 ? Double(counts.done) * 1000 / Double(elapsed) : 0 }
}

extension SweepSummary: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try counts.encode(to: encoder)
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encode(held, forKey: "held")
    try values.encode(waitingForKey, forKey: "waitingForKey")
    try values.encode(counts.leftOutChains, forKey: "leftOutChains")
    try values.encode(counts.byStatus, forKey: "byStatus")
    try values.encode(lastTransportError, forKey: "lastTransportError")
    try values.encode(failures, forKey: "failures")
    try values.encode(latency, forKey: "latencyMs")
    try values.encode(seconds, forKey: "seconds")
    try values.encode((receiptsPerSecond * 10).rounded() / 10, forKey: "receiptsPerSecond")
    try values.encode(stopped, forKey: "stopped")
    try values.encode(stoppedApps, forKey: "stoppedApps")
    try values.encode(notBeforeMs, forKey: "notBeforeMs")
  }
}
