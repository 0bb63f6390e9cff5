import AppStore

/// Server notifications of version 1 as an app's server received them: JSON Lines, or one JSON value over as many lines as it
/// likes.
public enum NotificationsFile: LineFormat {
  public static let name = "notifications"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (LinePlace, LineContent<KeptNotification>) throws(Failure) -> Void
  ) throws(Failure) {
    try readValues(&lines, canRead: { (try? KeptNotification(decoding: $0)) != nil }, content, take)
  }

  /// Reads one again, whose place is known.
  public static func content(of text: [UInt8]) -> LineContent<KeptNotification> {
    do throws(UnreadableAnswer) {
      return .item(try KeptNotification(decoding: text))
    } catch {
      return .bad("it is not a server notification: \(error)")
    }
  }
}
