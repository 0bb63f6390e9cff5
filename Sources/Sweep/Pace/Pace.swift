import Subscriptions

/// Pace of requests: how many may be in flight (the window), and when the next request may begin.
///
/// The window grows additively while the App Store answers, and is halved when it fails (AIMD). All instants
/// are passed in and are milliseconds of one monotonic clock.
package struct Pace: Sendable {
  package enum Permission: Hashable, Sendable {
    /// The request may begin and counts as begun, so ask only if a request is ready to be sent.
    case yes
    case notBefore(Int64)
    case whenOneEnds
  }

  static let start = 2

  package let maximum: Int
  /// Instant before which no request begins, set by `Retry-After`.
  package private(set) var pausedUntil: Int64?
  private var allowance: RequestAllowance?
  private var size: Double
  /// Whether no request has failed yet; until one fails, the window doubles per round trip.
  private var isStarting = true
  /// Whether the last request had to wait because the window was full; only a full window may grow.
  private var isFull = false
  /// Number of results to ignore, because their requests began before the window shrank.
  private var stale = 0

  package init(maximum: Int, rate: Double? = nil) {
    self.maximum = max(maximum, 1)
    allowance = rate.map { RequestAllowance(perSecond: $0) }
    size = Double(min(Self.start, self.maximum))
  }

  package var window: Int { Int(size) }

  /// Records an answer, or a failure of kind `FailedAttempt.Kind.passing`; other failures are not recorded.
  package mutating func take(isAnswered: Bool) {
    if stale > 0 {
      stale -= 1
    } else if !isAnswered {
      isStarting = false
      stale = window - 1
      size = max(size / 2, 1)
    } else if isFull {
      size = min(size + (isStarting ? 1 : 1 / size), Double(maximum))
    }
  }

  package mutating func pause(until instant: Int64) { pausedUntil = max(pausedUntil ?? instant, instant) }

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

/// Rate limiter (generic cell rate algorithm): in any second, at most `perSecond` requests begin, rounded up.
struct RequestAllowance: Sendable {
  /// Planned milliseconds between two requests.
  private let interval: Double
  /// Maximum milliseconds that a request may begin early: about 1, rising to about 10 at high rates.
  ///
  /// The leeway makes up for late wake-ups, which would otherwise lower the rate.
  private let leeway: Double
  private var planned = -Double.infinity

  init(perSecond rate: Double) {
    // The minimum rate, one request in eleven days, keeps the arithmetic within bounds.
    let rate = rate > 0.000_001 ? min(rate, 1_000_000) : 0.000_001
    let burst = max(1 + rate / 1000, rate / 100)
    // In one second, fewer than burst + 1000 / interval requests may begin.
    interval = 1000 / (rate + 1 - burst)
    leeway = (burst - 1) * interval
  }

  /// Counts a request and returns `nil` if it may begin; otherwise returns its earliest time in milliseconds.
  mutating func take(at now: Int64) -> Int64? {
    // The tolerance covers the rounding of summed fractions.
    let earliest = planned - leeway - 1e-6
    guard earliest <= Double(now) else { return Int64(earliest.rounded(.up)) }
    planned = max(planned, Double(now)) + interval
    return nil
  }
}

/// Rate limits per app, endpoint and environment: *App Store Server API › Identifying rate limits*.
package struct RequestLimits: Sendable {
  package struct Subject: Hashable {
    package var app: BundleID
    /// Whether the request is for a history; otherwise, it is for statuses.
    package var isHistory: Bool
    package var environment: StoreEnvironment

    package init(app: BundleID, isHistory: Bool, environment: StoreEnvironment) {
      (self.app, self.isHistory, self.environment) = (app, isHistory, environment)
    }
  }

  private let production: Double?
  private let sandbox: Double?
  private var allowances: [Subject: RequestAllowance] = [:]

  package init(production: Double?, sandbox: Double?) {
    (self.production, self.sandbox) = (production, sandbox)
  }

  /// Returns the earliest time for a request, in milliseconds like `now`; `nil` if it may begin now.
  package func wait(for subject: Subject, at now: Int64) -> Int64? {
    guard let rate = rate(in: subject.environment) else { return nil }
    var allowance = allowances[subject] ?? RequestAllowance(perSecond: rate)
    return allowance.take(at: now)
  }

  package mutating func begin(_ subject: Subject, at now: Int64) {
    guard let rate = rate(in: subject.environment) else { return }
    _ = allowances[subject, default: RequestAllowance(perSecond: rate)].take(at: now)
  }

  private func rate(in environment: StoreEnvironment) -> Double? {
    environment == .sandbox ? sandbox : production
  }
}
