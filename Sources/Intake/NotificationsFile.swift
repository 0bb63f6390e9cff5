import AppStore

/// Server notifications of version 1 as an app's server received them: JSON Lines, or one JSON value over as many lines as it
/// likes.
public enum NotificationsFile: LineFormat {
  public static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<KeptNotification>) throws(Failure) -> Void
  ) throws(Failure) {
    try readValues(&lines, canRead: { (try? KeptNotification(decoding: $0)) != nil }, content, take)
  }

  private static func content(of text: [UInt8]) -> LineContent<KeptNotification> {
    do throws(UnreadableAnswer) {
      return .item(try KeptNotification(decoding: text))
    } catch {
      return .bad("it is not a server notification: \(error)")
    }
  }
}
