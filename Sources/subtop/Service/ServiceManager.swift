import Dispatch
import Glibc
import Synchronization

/// Tells systemd how a service gets on, as sd_notify(3) does: a datagram to the socket that `NOTIFY_SOCKET` names. Nobody is told,
/// and nothing goes wrong, where there is none.
final class ServiceManager: Sendable {
  private let socketPath: String?
  /// Microseconds without a sign of life after which the service is ended; nil where none is expected.
  private let watchdog: UInt64?
  private let timer = Mutex<Ticker?>(nil)

  init() {
    socketPath = Environment.variable("NOTIFY_SOCKET").flatMap { Self.isAddress($0) ? $0 : nil }
    // Of another process, where a service starts a program of its own.
    let isMeant = Environment.variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let time = Environment.variable("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
    watchdog = isMeant && time > 0 && time < UInt64(Int64.max) ? time : nil
    // What this program starts is not to speak for it.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"] { unsetenv(name) }
  }

  /// Says that the service is up, and gives signs of life from now on, twice as often as they are expected.
  ///
  /// - Parameter isAlive: returns when the service still does its work; one that hangs is not told of any more.
  func ready(_ status: String, isAlive: @escaping @Sendable () -> Void) {
    guard socketPath != nil else { return }
    tell("READY=1\nSTATUS=\(status)")
    guard let watchdog else { return }
    let timer = Ticker(
      every: .microseconds(Int(watchdog / 2)), leeway: .milliseconds(50),
      on: DispatchQueue(label: "subtop.watchdog")
    ) { [weak self] in
      isAlive()
      self?.tell("WATCHDOG=1")
    }
    self.timer.withLock { $0 = timer }
  }

  /// Says that the service is about to end. Signs of life go on: what came in is still being kept.
  func stopping() { tell("STOPPING=1") }

  // MARK: The socket

  /// A path, or a name in the abstract namespace of unix(7) behind an @, short enough for an address.
  private static func isAddress(_ text: String) -> Bool {
    (text.hasPrefix("/") || text.hasPrefix("@")) && text.utf8.count > 1 && text.utf8.count < pathSize
  }

  private static let pathSize = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private func tell(_ message: String) {
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
    // The length tells an abstract name's end, which zeros do not.
    let length = MemoryLayout.size(ofValue: address.sun_family) + socketPath.utf8.count
    var bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }
}
