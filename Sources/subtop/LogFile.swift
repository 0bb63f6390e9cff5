import Files
import Logging
import Subscriptions
import Synchronization

/// The program's log: one line an event, at `$XDG_STATE_HOME/subtop/subtop.log`. Secrets and receipts never come here.
struct LogFile: LogHandler {
  static let name = "subtop.log"
  /// Bytes.
  static let limit = 1 << 20
  private static let isRefused = Mutex(false)

  let file: RotatingLog
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  /// Lets every logger of this process write to the file; a log that cannot be written stops nobody.
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
  /// What happened and its facts, in one line.
  func line(with metadata: Logger.Metadata) -> String {
    let facts = metadata.merging(self.metadata ?? [:]) { $1 }
    let values = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\(printable("\($0.value)"))" }.joined()
    return printable("\(message)", atMost: 1000) + values
  }
}

/// The log of a service: systemd's journal instead of a file. Errors are left out, since whoever logs one complains of it on
/// standard error too.
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
