/// Decides how many requests may be in flight and when the next may begin. The window grows additively while
/// an App Store answers well and shrinks multiplicatively on errors and rising latency.
///
/// Each endpoint has its own pace. Instants are milliseconds of one monotonic clock and are passed in.
package struct Pace: Sendable {
  package enum Signal: Hashable, Sendable {
    /// A valid answer and its latency in microseconds.
    case answered(latency: Int64)
    /// 429, 5xx, a temporary status of Apple's, or no answer at all.
    case trouble
  }

  package enum Permission: Hashable, Sendable {
    /// The request counts as begun, so ask only if there is one to send.
    case yes
    case notBefore(Int64)
    /// The window is full.
    case whenOneEnds
  }

  static let start = 2

  package let maximum: Int
  /// Instant before which no request begins, set by `Retry-After`.
  package private(set) var pausedUntil: Int64?
  private var allowance: RequestAllowance?
  /// Window including the fractions that it grows by.
  private var size: Double
  /// Whether the window still doubles, which it does until the first trouble.
  private var isStarting = true
  /// Whether the last request had to wait. A window that is not filled is no evidence for a larger one.
  private var isFull = false
  /// Number of signals to ignore, since their requests began before the window shrank.
  private var stale = 0
  private var trend = LatencyTrend()

  /// - Parameter rate: requests a second; `nil` for no limit.
  package init(maximum: Int, rate: Double? = nil) {
    self.maximum = max(maximum, 1)
    allowance = rate.map { RequestAllowance(perSecond: $0) }
    size = Double(min(Self.start, self.maximum))
  }

  /// Maximum number of requests at once, 1 to `maximum`.
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

  /// Blocks requests until this instant, or until a later one that was set before.
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
