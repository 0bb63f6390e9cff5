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
    /// The same, with the seconds that the other side wants to be left alone.
    case retryAfter(seconds: Int)
  }

  /// Whether a request may begin.
  package enum Permission: Hashable, Sendable {
    /// It counts as begun: ask only with a request in hand.
    case yes
    case notBefore(Int64)
    /// As many as may be are on the wire.
    case whenOneEnds
  }

  package let maximum: Int
  /// Requests a second; nil for no limit.
  package let rate: Double?
  /// Nobody is asked before this instant, which a `Retry-After` named.
  package private(set) var pausedUntil: Int64?

  package init(maximum: Int, rate: Double? = nil) {
    self.maximum = max(maximum, 1)
    self.rate = rate
  }

  /// Requests at once, 1 to `maximum`.
  package var window: Int { maximum }

  package mutating func take(_ signal: Signal, at now: Int64) {}

  package mutating func pause(until instant: Int64) { pausedUntil = max(pausedUntil ?? instant, instant) }

  package mutating func mayBegin(inFlight: Int, at now: Int64) -> Permission { .yes }
}
