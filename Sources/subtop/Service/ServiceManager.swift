import Dispatch
import Glibc
import Synchronization

/// Reports the state of a service to systemd by datagrams to `NOTIFY_SOCKET`, if it is set (sd_notify(3)).
final class ServiceManager: Sendable {
  private let socketPath: String?
  /// Microseconds without a watchdog message after which systemd ends the service; `nil` if it expects none.
  private let watchdog: UInt64?
  private let timer = Mutex<Ticker?>(nil)

  init() {
    socketPath = Environment.variable("NOTIFY_SOCKET").flatMap { Self.isAddress($0) ? $0 : nil }
    // The variables may be meant for another process.
    let isMeant = Environment.variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let time = Environment.variable("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
    watchdog = isMeant && time > 0 && time < UInt64(Int64.max) ? time : nil
    // Child processes must not report for this process.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"] { unsetenv(name) }
  }

  /// Reports that the service is ready, then sends watchdog messages twice as often as systemd expects.
  ///
  /// - Parameter isAlive: Called before each watchdog message; must block while the service does not work.
  func ready(_ status: String, isAlive: @escaping @Sendable () -> Void) {
    guard socketPath != nil else { return }
    notify("READY=1\nSTATUS=\(status)")
    guard let watchdog else { return }
    let timer = Ticker(
      every: .microseconds(Int(watchdog / 2)), leeway: .milliseconds(50),
      on: DispatchQueue(label: "subtop.watchdog")
    ) { [weak self] in
      isAlive()
      self?.notify("WATCHDOG=1")
    }
    self.timer.withLock { $0 = timer }
  }

  /// Reports that the service is stopping; watchdog messages continue until received data is stored.
  func stopping() { notify("STOPPING=1") }

  // MARK: Socket

  /// Whether the text is a path or `@` with a name in the abstract namespace (unix(7)), and fits an address.
  private static func isAddress(_ text: String) -> Bool {
    (text.hasPrefix("/") || text.hasPrefix("@")) && text.utf8.count > 1 && text.utf8.count < pathSize
  }

  private static let pathSize = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private func notify(_ message: String) {
    guard let socketPath else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: socketPath.utf8)
      if socketPath.hasPrefix("@") { path[0] = 0 }
    }
    // The length marks the end of an abstract name, which may contain zeros.
    let length = MemoryLayout.size(ofValue: address.sun_family) + socketPath.utf8.count
    var bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }
}

/// Output to systemd's journal, which reads a line's priority from its prefix: sd-daemon(3), systemd.exec(5).
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

  static func prefix(_ priority: Priority) -> String { isStandardError ? "<\(priority.rawValue)>" : "" }
}
