import Glibc

/// Output to systemd's journal, which reads a line's priority from its beginning (sd-daemon(3);
/// `JOURNAL_STREAM` in systemd.exec(5)).
enum Journal {
  /// Priorities of syslog(3).
  enum Priority: Int {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  static let isStandardError: Bool = {
    guard let given = Environment.variable("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && given == "\(status.st_dev):\(status.st_ino)"
  }()

  /// Returns the prefix of a line; empty unless standard error goes to the journal.
  static func prefix(_ priority: Priority) -> String { isStandardError ? "<\(priority.rawValue)>" : "" }
}
