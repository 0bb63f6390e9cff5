import Glibc
import Logging
import Subscriptions

/// The program's log: one line an event, at `$XDG_STATE_HOME/subtop/subtop.log`. Secrets and receipts never come here.
struct LogFile: LogHandler {
  private static let most: off_t = 1 << 20

  let path: String
  var logLevel = Logger.Level.info
  var metadata = Logger.Metadata()

  /// Lets every logger of this process write to the file; a log that cannot be written stops nobody.
  static func bootstrap() {
    let path = Environment.log
    LoggingSystem.bootstrap { _ in LogFile(path: path) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let facts = metadata.merging(event.metadata ?? [:]) { $1 }
    let values = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\(printable("\($0.value)"))" }.joined()
    let message = printable("\(event.message)", atMost: 1000)
    let line = "\(SystemClock.now.iso8601) \(event.level) \(message)\(values)\n"
    guard let descriptor = open() else { return }
    _ = write(descriptor, line, line.utf8.count)
    close(descriptor)
  }

  /// A log that has grown too long becomes the old one, which the next will replace.
  private func open() -> Int32? {
    var status = stat()
    if stat(path, &status) == 0, status.st_size > Self.most { rename(path, path + ".1") }
    makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    return descriptor >= 0 ? descriptor : nil
  }
}

/// Makes a folder of one's own with all above it; one that cannot be made is missed by whoever writes into it.
func makeFolder(_ path: String) {
  guard !path.isEmpty, access(path, F_OK) != 0 else { return }
  if let slash = path.lastIndex(of: "/") { makeFolder(String(path[..<slash])) }
  mkdir(path, 0o700)
}
