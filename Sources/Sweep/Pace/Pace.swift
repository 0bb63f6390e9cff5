/// How many requests may be on the wire at once, and how soon the next may begin: additive increase while an App Store
/// answers well, multiplicative decrease when it is in trouble or becomes slower. Pure: every instant is handed in.
///
/// Instants are milliseconds of one monotonic clock. One pace is for one endpoint.
package struct Pace: Sendable {
  /// What came of a request.
  package enum Signal: Hashable, Sendable {
    /// A sound answer, and the microseconds that it took.
    case answered(latency: Int64)
    /// 429, 5xx, a status of Apple's that passes, or no answer at all.
    case trouble
  }

  /// Whether a request may begin.
  package enum Permission: Hashable, Sendable {
    /// It counts as begun: ask only with a request in hand.
    case yes
    case notBefore(Int64)
    /// As many as may be are on the wire.
    case whenOneEnds
  }

  /// Requests at once to begin with.
  static let start = 2

  package let maximum: Int
  /// Nobody is asked before this instant, which a `Retry-After` named.
  package private(set) var pausedUntil: Int64?
  private var allowance: RequestAllowance?
  /// The window with the fractions that it grows by.
  private var size: Double
  /// Until the first trouble the window doubles.
  private var isStarting = true
  /// Whether the last request that asked was refused for the window's sake: one that is not filled is no evidence that
  /// a larger one would do.
  private var isFull = false
  /// Signals of requests that were on the wire when the window was made smaller, and so say nothing of the new one.
  private var stale = 0
  private var trend = LatencyTrend()

  /// - Parameter rate: requests a second; nil for no limit.
  package init(maximum: Int, rate: Double? = nil) {
    self.maximum = max(maximum, 1)
    allowance = rate.map { RequestAllowance(perSecond: $0) }
    size = Double(min(Self.start, self.maximum))
  }

  /// Requests at once, 1 to `maximum`.
  package var window: Int { Int(size) }
}

extension Pace {
  package mutating func take(_ signal: Signal, at now: Int64) {
    guard stale == 0 else {
      stale -= 1
      return
    }
    guard case .answered(let latency) = signal else { return shrink() }
    grow()
    if trend.isRising(with: latency, window: window) { shrink() }
  }

  /// Nobody is asked before this instant, nor before one that was named earlier and is later.
  package mutating func pause(until instant: Int64) { pausedUntil = max(pausedUntil ?? instant, instant) }

  private mutating func grow() {
    guard isFull else { return }
    size = min(size + (isStarting ? 1 : 1 / size), Double(maximum))
  }

  private mutating func shrink() {
    isStarting = false
    stale = window - 1
    size = max(size / 2, 1)
    trend.restart()
  }

  /// - Parameter inFlight: requests on the wire.
  package mutating func mayBegin(inFlight: Int, at now: Int64) -> Permission {
    guard inFlight < window else {
      isFull = true
      return .whenOneEnds
    }
    if let pausedUntil, now < pausedUntil { return .notBefore(pausedUntil) }
    if let instant = allowance?.take(at: now) { return .notBefore(instant) }
    isFull = false
    return .yes
  }
}
