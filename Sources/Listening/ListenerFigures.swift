import Subscriptions

/// Metrics of a listener: notifications by type and result, durations of commits, and lengths of its queues.
public struct ListenerFigures: Sendable {
  public enum Result: String, Hashable, Sendable, CaseIterable {
    case kept, replayed, refused, failed
  }

  public struct Kind: Hashable, Sendable {
    /// Type of the notification; `nil` if it was refused or not checked, because the type may be forged.
    public var type: NotificationType?
    public var result: Result
  }

  public private(set) var notifications: [Kind: Int] = [:]
  public private(set) var bytes = 0
  public internal(set) var commits = Histogram()
  /// Number of notifications that wait for a commit or are in one.
  public internal(set) var backlog = 0
  /// Number of notifications that are answered but not processed yet.
  public internal(set) var inbox = 0
  public private(set) var lastReceived: Instant?

  init() {}

  public func count(_ result: Result) -> Int {
    notifications.reduce(0) { $1.key.result == result ? $0 + $1.value : $0 }
  }

  mutating func take(_ type: NotificationType?, _ result: Result, bytes count: Int, at now: Instant) {
    notifications[Kind(type: type, result: result), default: 0] += 1
    bytes += count
    lastReceived = now
  }

  public struct Histogram: Sendable {
    public static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Number of durations up to each bound and above the previous bound; the last element counts all others.
    public private(set) var counts = Array(repeating: 0, count: bounds.count + 1)
    public private(set) var sum = 0.0

    mutating func take(_ seconds: Double) {
      counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      sum += seconds
    }
  }
}
