import AppStore
import Subscriptions

/// Server notifications of either version: JSON Lines, or one JSON value over several lines.
public enum NotificationsFile: JSONFormat {
  public typealias Item = NotificationLine

  public static let name = "notifications"
  public static let one = "a server notification"

  public static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> NotificationBody {
    try NotificationBody(decoding: text)
  }

  public static func content(of body: NotificationBody) -> LineContent<NotificationLine> {
    .item(NotificationLine(body: body))
  }
}

public struct NotificationLine: Sendable {
  public let body: NotificationBody
  /// Result of the check by the caller; `nil` before it.
  public var checked: ReceivedNotification?
}
