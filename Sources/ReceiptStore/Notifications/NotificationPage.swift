import Subscriptions

/// What an import of notifications goes on with.
public enum NotificationPage: Sendable {
  case notifications([(notification: ReceivedNotification, place: ImportPlace)])
  case end
  /// Nothing of it is to be kept.
  case abandon
}

/// Where an import finds something again.
public struct ImportPlace: Hashable, Sendable {
  /// Which of its files, from 0.
  public var file: Int
  /// 1 is the first line of the file.
  public var line: Int
  /// Bytes of the file.
  public var range: Range<Int>

  public init(file: Int, line: Int, range: Range<Int>) {
    (self.file, self.line, self.range) = (file, line, range)
  }
}
