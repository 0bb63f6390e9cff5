import AppStore
import Subscriptions

/// Server notifications of either version as an app's server received them: JSON Lines, or one JSON value over as many lines as it
/// likes.
public enum NotificationsFile: LineFormat {
  public static let name = "notifications"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (LinePlace, LineContent<NotificationLine>) throws(Failure) -> Void
  ) throws(Failure) {
    try readValues(&lines, canRead: { (try? NotificationBody(decoding: $0)) != nil }, content, take)
  }

  /// Reads one again, whose place is known.
  public static func content(of text: [UInt8]) -> LineContent<NotificationLine> {
    do throws(UnreadableAnswer) {
      return .item(NotificationLine(body: try NotificationBody(decoding: text)))
    } catch {
      return .bad("it is not a server notification: \(error)")
    }
  }
}

/// One notification of a file.
public struct NotificationLine: Sendable {
  public let body: NotificationBody
  /// What whoever reads the file has found it to be; nil until then.
  public var checked: ReceivedNotification?
}
