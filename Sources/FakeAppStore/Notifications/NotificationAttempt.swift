import Subscriptions

/// One try to deliver a notification: *App Store Server API › sendAttemptItem*.
public struct NotificationAttempt: Sendable, Hashable {
  /// *App Store Server API › sendAttemptResult*.
  public enum Result: String, Sendable, Hashable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
  }

  /// By the fake's clock.
  public let date: Instant
  public let result: Result

  /// How long after each failed attempt the next is made; the sandbox makes one alone.
  static let delays = [1, 12, 24, 48, 72].map { $0 * Milliseconds.hour }
}

extension [NotificationAttempt] {
  var isDelivered: Bool { last?.result == .success }

  /// When the next attempt is due after those so far; nil after the last.
  func next(isSandbox: Bool) -> Instant? {
    guard !isSandbox, !isDelivered, let last, count <= NotificationAttempt.delays.count else { return nil }
    return last.date + NotificationAttempt.delays[count - 1]
  }
}

extension NotificationPayload {
  /// What became of it before there was anybody to post it to: nearly all arrived, a few late, and a few never.
  func pastAttempts(upTo t: Instant) -> [NotificationAttempt] {
    var random = SplitMix64(
      seed: subscriber.seed ^ UInt64(bitPattern: entry.news.at.rawValue), index: entry.index, stream: 13)
    let share = random.unit()
    let failures = share < 0.95 ? 0 : share < 0.985 ? Int(random.between(1, 4)) : 6
    let reason =
      random.pick([NotificationAttempt.Result.unsuccessfulStatus, .timedOut, .noResponse]) ?? .other
    var attempts: [NotificationAttempt] = []
    var due: Instant? = entry.news.at + Milliseconds.second
    while let date = due, date <= t {
      attempts.append(
        NotificationAttempt(date: date, result: attempts.count < failures ? reason : .success))
      due = attempts.next(isSandbox: entry.isSandbox)
    }
    return attempts
  }
}
