/// A token bucket: how many requests may begin, at a rate that no second exceeds.
struct RequestAllowance: Sendable {
  /// Requests that may begin at once after a rest: a hundredth of a second's, or one and what a millisecond adds, so
  /// that a clock of milliseconds and wake-ups that come late do not slow the rate down.
  private let burst: Double
  /// Tokens a millisecond: with the burst, never more than the rate within any second.
  private let flow: Double
  private var tokens: Double
  private var filledAt: Int64?

  init(perSecond rate: Double) {
    // A request in eleven days is as good as none, and keeps the arithmetic within bounds.
    let rate = rate > 0.000_001 ? min(rate, 1_000_000) : 0.000_001
    burst = max(1 + rate / 1000, rate / 100)
    // A second holds fewer than burst + 1000 * flow requests.
    flow = (rate + 1 - burst) / 1000
    tokens = burst
  }

  /// Takes a token, or tells when there will be one.
  mutating func take(at now: Int64) -> Int64? {
    let passed = max(0, now - (filledAt ?? now))
    tokens = min(burst, tokens + Double(passed) * flow)
    filledAt = max(now, filledAt ?? now)
    // What a sum of fractions lacks to a whole token.
    guard tokens < 1 - 1e-9 else {
      tokens -= 1
      return nil
    }
    return now + max(1, Int64(((1 - tokens) / flow).rounded(.up)))
  }
}
