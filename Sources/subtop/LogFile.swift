import Files
import Logging
import Subscriptions
import Synchronization

/// The program's log: one line an event, at `$XDG_STATE_HOME/subtop/subtop.log`. Secrets and receipts never come here.
struct LogFile: LogHandler {
  private static let isRefused = Mutex(false)

  let file: RotatingLog
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  /// Lets every logger of this process write to the file; a log that cannot be written stops nobody.
  static func bootstrap() {
    guard let folder = Environment.stateFolder else {
      return LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    }
    let file = RotatingLog(folder: folder, name: "subtop.log", limit: 1 << 20)
    LoggingSystem.bootstrap { _ in LogFile(file: file) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let facts = metadata.merging(event.metadata ?? [:]) { $1 }
    let values = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\(printable("\($0.value)"))" }.joined()
    let message = printable("\(event.message)", atMost: 1000)
    do throws(FileProblem) {
      try file.append("\(SystemClock.now.iso8601) \(event.level) \(message)\(values)\n")
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
