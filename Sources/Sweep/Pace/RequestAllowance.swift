/// A token bucket: limits the requests that begin, so that no second exceeds the rate.
struct RequestAllowance: Sendable {
  /// Requests that may begin at once after a pause: a hundredth of a second's, or one plus a millisecond's.
  /// This keeps a clock with millisecond resolution and late wake-ups from lowering the rate.
  private let burst: Double
  /// Tokens per millisecond. Together with `burst`, no second exceeds the rate.
  private let flow: Double
  private var tokens: Double
  private var filledAt: Int64?

  init(perSecond rate: Double) {
    // The minimum is one request in eleven days, which keeps the arithmetic within bounds.
    let rate = rate > 0.000_001 ? min(rate, 1_000_000) : 0.000_001
    burst = max(1 + rate / 1000, rate / 100)
    // A second allows fewer than burst + 1000 * flow requests.
    flow = (rate + 1 - burst) / 1000
    tokens = burst
  }

  /// Takes a token and returns `nil`, or returns the instant at which one will be available.
  mutating func take(at now: Int64) -> Int64? {
    let passed = max(0, now - (filledAt ?? now))
    tokens = min(burst, tokens + Double(passed) * flow)
    filledAt = max(now, filledAt ?? now)
    // The tolerance covers the rounding of summed fractions.
    guard tokens < 1 - 1e-9 else {
      tokens -= 1
      return nil
    }
    return now + max(1, Int64(((1 - tokens) / flow).rounded(.up)))
  }
}
