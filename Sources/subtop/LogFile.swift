import Files
import Logging
import Subscriptions
import Synchronization

/// Log of the program, one line per event, at `$XDG_STATE_HOME/subtop/subtop.log`. It never contains secrets
/// or receipts.
struct LogFile: LogHandler {
  static let name = "subtop.log"
  /// Size in bytes at which the log is rotated.
  static let limit = 1 << 20
  private static let isRefused = Mutex(false)

  let file: RotatingLog
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  /// Sends all loggers of this process to the file. An unwritable log never stops a command.
  static func bootstrap() {
    guard !Journal.isStandardError else { return LoggingSystem.bootstrap { _ in JournalLog() } }
    guard let folder = Environment.stateFolder else {
      return LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    }
    let file = RotatingLog(folder: folder, name: name, limit: limit)
    LoggingSystem.bootstrap { _ in LogFile(file: file) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    do throws(FileProblem) {
      try file.append("\(SystemClock.now.iso8601) \(event.level) \(event.line(with: metadata))\n")
    } catch {
      guard error.isOfTheFile,
        Self.isRefused.withLock({
          let before = $0; $0 = true; return !before
        })
      else { return }
      Standard.complain("no log is written: \(error)")
    }
  }
}

extension LogEvent {
  func line(with metadata: Logger.Metadata) -> String {
    let facts = metadata.merging(self.metadata ?? [:]) { $1 }
    let values = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\(printable("\($0.value)"))" }.joined()
    return printable("\(message)", atMost: 1000) + values
  }
}

/// Log of a service, in systemd's journal instead of a file. Errors are omitted, since they are also written
/// to standard error.
struct JournalLog: LogHandler {
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let priority: Journal.Priority
    switch event.level {
    case .trace, .debug, .info: priority = .info
    case .notice: priority = .notice
    case .warning: priority = .warning
    case .error, .critical: return
    }
    Standard.note("\(Journal.prefix(priority))\(event.line(with: metadata))\n")
  }
}
