import AppStore

/// Server notifications of version 1 as an app's server received them: JSON Lines, or one JSON value over as many lines as it
/// likes.
public enum NotificationsFile {
  public static func read(_ bytes: [UInt8]) -> Reading<KeptNotification> {
    JSONValues(bytes: bytes).read(canRead: { (try? KeptNotification(decoding: $0)) != nil }, read)
  }

  private static func read(_ text: [UInt8], line: Int, into reading: inout Reading<KeptNotification>) {
    do {
      reading.take(try KeptNotification(decoding: text), from: line)
    } catch {
      reading.bad(line, "it is not a server notification: \(error)")
    }
  }
}
