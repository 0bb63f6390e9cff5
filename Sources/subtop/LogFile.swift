import Files
import Logging
import Subscriptions
import Synchronization

/// Log of the program at `$XDG_STATE_HOME/subtop/subtop.log`, a line per event, without secrets or receipts.
///
/// A service logs to systemd's journal instead, except errors, which standard error shows already.
struct LogFile: LogHandler {
  static let name = "subtop.log"
  static let limit = 1 << 20
  private static let isRefused = Mutex(false)

  let file: RotatingLog?
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  /// Sends all loggers of this process to the file or the journal; a failed write never stops a command.
  static func bootstrap() {
    guard !Journal.isStandardError else { return LoggingSystem.bootstrap { _ in LogFile(file: nil) } }
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
    guard let file else {
      let priority: Journal.Priority =
        event.level < .notice ? .info : event.level == .notice ? .notice : .warning
      if event.level < .error { Standard.note("\(Journal.prefix(priority))\(event.line(with: metadata))\n") }
      return
    }
    do throws(FileProblem) {
      try file.append("\(SystemClock.now.iso8601) \(event.level) \(event.line(with: metadata))\n")
    } catch {
      guard error.isOfTheFile,
        Self.isRefused.withLock({
          let before = $0; $0 = true; return !before
        })
      else { return }
      Standard.complain("cannot write the log: \(error)")
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
