/// When a receipt is worth asking Apple about again, by what its lines are waiting for.
public struct DuePolicy: Hashable, Sendable {
  /// Checks around an expiry, in milliseconds from it: at the instant itself Apple does not know yet either.
  public var aroundExpiry = [
    -24 * Milliseconds.hour, Milliseconds.hour, 6 * Milliseconds.hour, 24 * Milliseconds.hour,
  ]
  public var trial = Milliseconds.day
  public var grace = 6 * Milliseconds.hour
  public var billingRetry = Milliseconds.day
  /// In mid-period: to see refunds and auto-renew switched off.
  public var active = 7 * Milliseconds.day
  /// Lapsed for less than 90 days.
  public var lapsed = 7 * Milliseconds.day
  public var longLapsed = 30 * Milliseconds.day

  public static let standard = DuePolicy()

  public init() {}

  /// What a line is waiting for.
  public struct Prospect: Hashable, Sendable {
    public var state: LineState
    /// The current row's expiry.
    public var expires: Instant

    public init(state: LineState, expires: Instant) {
      self.state = state
      self.expires = expires
    }
  }

  /// The earliest of what the lines want; a receipt without lines is asked about as seldom as one long lapsed.
  public func nextDue(for prospects: [Prospect], at now: Instant) -> Instant {
    prospects.map { nextDue(for: $0, at: now) }.min() ?? now + longLapsed
  }

  private func nextDue(for line: Prospect, at now: Instant) -> Instant {
    let expires = line.expires
    let around = aroundExpiry.map { expires + $0 }.first { $0 > now } ?? .distantFuture
    let interval =
      switch line.state {
      case .trial: trial
      case .active: active
      case .overdue: Milliseconds.hour
      case .grace: grace
      case .billingRetry: billingRetry
      case .expired, .revoked: now - line.expires < 90 * Milliseconds.day ? lapsed : longLapsed
      }
    return min(now + interval, around)
  }
}
