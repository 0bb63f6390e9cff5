/// Result of a sweep, which `sweep --format json` prints.
public struct SweepSummary: Hashable, Sendable {
  /// Reason that a sweep or some of its apps stopped early.
  public enum Stop: String, Hashable, Sendable, Codable, CaseIterable {
    /// Apple answered 21004 several times in a row.
    case secretRefused = "secret_refused"
    case noSecret = "no_secret"
    /// The configuration lists only other apps, and has no primary secret.
    case notOurs = "not_ours"
    /// Apple answered 401 several times in a row.
    case keyRefused = "key_refused"
    /// There is no Server API key, and the app's receipts cannot be sent instead.
    case noKey = "no_key"
    /// No trusted certificate signed the Server API's answers.
    case untrusted
    /// The Server API's answers belong to another app.
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
    public var isOfApps: Bool { ![.unreachable, .unavailable, .interrupted].contains(self) }
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
    try encoder.encode([
      "held": held, "waitingForKey": waitingForKey, "leftOutChains": counts.leftOutChains,
      "byStatus": counts.byStatus, "lastTransportError": lastTransportError, "failures": failures,
      "latencyMs": latency, "seconds": seconds,
      "receiptsPerSecond": (receiptsPerSecond * 10).rounded() / 10, "stopped": stopped,
      "stoppedApps": stoppedApps, "notBeforeMs": notBeforeMs,
    ])
  }
}
