/// Result of a sweep, which `sweep --format json` prints.
public struct SweepSummary: Hashable, Sendable, Encodable {
  public typealias Stop = SweepStop

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
  /// Receipts of the selection that other sweeps have leased at the end.
  public var held = 0
  /// Receipts returned to the queue, because only a customer id is known and there is no Server API key.
  public var waitingForKey = 0
  /// Examples of receipts whose answers contained chains that were removed.
  public var leftOutOf: [ReceiptID] = []
  public var latency: LatencyQuantiles?
  public var statuses: [StatusTally] = []
  public var lastTransportError: String?
  public var failures: [FailureTally] = []

  public init(started: Instant, elapsed: Int64, counts: SweepCounts, stopped: Stop? = nil) {
    (self.started, ended) = (started, started + elapsed)
    (self.elapsed, self.counts, self.stopped) = (elapsed, counts, stopped)
  }

  /// Milliseconds from the end to `notBeforeMs`; `nil` without it, or if less than a second.
  public var silence: Int64? {
    notBeforeMs.map { $0 - ended }.flatMap { $0 >= Milliseconds.second ? $0 : nil }
  }

  /// Duration in milliseconds by the clock of `started`, as stored in the sweep's record.
  public var length: Int64 { max(0, ended - started) }

  public var seconds: Double { Double(elapsed) / 1000 }
  public var receiptsPerSecond: Double { elapsed > 0 ? Double(counts.done) * 1000 / Double(elapsed) : 0 }

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

/// Number of receipts that are retried later for the same reason.
public struct FailureTally: Hashable, Sendable, Encodable {
  /// Message for people, without secrets and receipt contents.
  public var reason: String
  public var count: Int

  public init(reason: String, count: Int) { (self.reason, self.count) = (reason, count) }
}
