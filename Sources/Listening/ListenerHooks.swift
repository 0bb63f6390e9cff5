import AppStore
import Subscriptions

/// Functions that the owner of a listener provides.
public struct ListenerHooks: Sendable {
  public var clock: @Sendable () -> Instant
  /// Decides whether a body is accepted. Called from any thread.
  public var admit: @Sendable (NotificationBody) -> Admission
  /// Returns the text of `GET /metrics`.
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

/// Decision about a body, based on the configured secrets and certificates.
public enum Admission: Sendable {
  case taken(ReceivedNotification)
  /// Refused for good. The reason is one sentence.
  case refused(String)
  /// Not decidable now. The reason is one sentence.
  case unknown(String)
}

public enum ListenerTrouble: Sendable {
  /// Refused because of the sender.
  case refused(String)
  /// Not stored. Apple was asked to send it again.
  case failed(String)
  /// Stored, but not processed yet.
  case postponed(String)
  /// The maximum number of connections is open.
  case crowded(Int)
}
