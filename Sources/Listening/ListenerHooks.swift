import AppStore
import Subscriptions

/// What a listener asks of whoever runs it.
public struct ListenerHooks: Sendable {
  public var clock: @Sendable () -> Instant
  /// Decides whether a body is taken, from any thread.
  public var admit: @Sendable (NotificationBody) -> Admission
  /// The text of `GET /metrics`.
  public var metrics: @Sendable (ListenerFigures) -> String
  public var report: @Sendable (ListenerTrouble) -> Void

  public init(
    clock: @escaping @Sendable () -> Instant, admit: @escaping @Sendable (NotificationBody) -> Admission,
    metrics: @escaping @Sendable (ListenerFigures) -> String,
    report: @escaping @Sendable (ListenerTrouble) -> Void
  ) {
    (self.clock, self.admit, self.metrics, self.report) = (clock, admit, metrics, report)
  }
}

/// Whether a body is taken, as whoever knows the secrets and certificates says.
public enum Admission: Sendable {
  case taken(ReceivedNotification)
  /// It will never be: the reason in one sentence.
  case refused(String)
  /// It cannot be told now: the reason in one sentence.
  case unknown(String)
}

/// What went wrong with a notification.
public enum ListenerTrouble: Sendable {
  /// It is not taken, which is the sender's fault.
  case refused(String)
  /// It could not be kept, and Apple was asked to send it again.
  case failed(String)
  /// It is kept, and what it says could not be taken yet.
  case postponed(String)
  /// So many connections are open, which is the most; further ones wait.
  case crowded(Int)
}
