import Logging

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
