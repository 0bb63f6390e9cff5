import Glibc

/// Whether standard error goes to systemd's journal, which takes a line's priority from its beginning: sd-daemon(3), systemd.exec(5)
/// on `JOURNAL_STREAM`.
enum Journal {
  /// Priorities as syslog(3) numbers them.
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

  /// What a line begins with; empty where it does not go to the journal.
  static func prefix(_ priority: Priority) -> String { isStandardError ? "<\(priority.rawValue)>" : "" }
}
