import AppStore
import Subscriptions

/// Server notifications of either version as an app's server received them: JSON Lines, or one JSON value over as many lines as it
/// likes.
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

/// One notification of a file.
public struct NotificationLine: Sendable {
  public let body: NotificationBody
  /// What whoever reads the file has found it to be; nil until then.
  public var checked: ReceivedNotification?
}
