import Subscriptions

/// Next step of an import of notifications.
public enum NotificationPage: Sendable {
  case notifications([(notification: ReceivedNotification, place: ImportPlace)])
  case end
  /// Roll the import back.
  case abandon
}

/// Place of a line in the files of an import.
public struct ImportPlace: Hashable, Sendable {
  /// Index of the file, from 0.
  public var file: Int
  /// Line number, from 1.
  public var line: Int
  /// Byte range in the file.
  public var range: Range<Int>

  public init(file: Int, line: Int, range: Range<Int>) {
    (self.file, self.line, self.range) = (file, line, range)
  }
}
