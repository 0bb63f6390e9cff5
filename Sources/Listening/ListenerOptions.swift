import Glibc
import NIOCore
import NIOPosix

/// Address and limits of a `NotificationListener`.
public struct ListenerOptions: Sendable {
  public var address = "127.0.0.1"
  public var port = 8990
  /// Maximum bytes of a body; Apple's bodies have about 19,000.
  public var largestBody = 256 << 10
  /// Maximum number of notifications that wait for a commit; further ones fail, and Apple sends them again.
  public var mostWaiting = 4096
  /// Maximum milliseconds that a commit waits for another program's commit; Apple gives up after 30 seconds.
  ///
  /// `nil` leaves the store's longer limit unchanged, for a process that also sweeps.
  public var patience: Int64? = 5000

  static let requestLimit = TimeAmount.seconds(30)
  private static let mostConnections = 512

  public init() {}

  /// Raises the process's limit of open files, and returns the maximum number of connections, 8 to 512: half
  /// of that limit, minus 32 files for the store and the log.
  static func connectionLimit() -> Int {
    var limit = rlimit()
    let files = Int32(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0 else { return 8 }
    var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    if limit.rlim_cur < limit.rlim_max, setrlimit(files, &raised) == 0 { limit = raised }
    let descriptors = Int(clamping: limit.rlim_cur)
    return min(mostConnections, max(8, descriptors / 2 - 32))
  }

  /// Binds and releases the port; throws the error that `NotificationListener.start()` would throw.
  public func checkAddress() throws(ListenerProblem) {
    do {
      let server = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      try server.bind(host: address, port: port).wait().close().wait()
    } catch {
      throw ListenerProblem(self, for: error)
    }
  }
}

/// Error of a listener that cannot use its address; the description has the problem and a remedy.
public struct ListenerProblem: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ options: ListenerOptions, for error: any Error) {
    let reason =
      switch ((error as? IOError)?.errnoCode, error) {
      case (_, is SocketAddressError.UnknownHost):
        "it is neither an address nor a name of this machine; pass one, such as 127.0.0.1, or 0.0.0.0 for all"
      case (EADDRINUSE, _): "the port is in use by another program; choose another port, or 0 for a free one"
      case (EADDRNOTAVAIL, _):
        "it is not an address of this machine; pass one, such as 127.0.0.1, or 0.0.0.0 for all"
      case (EACCES, _), (EPERM, _):
        "the system does not permit it; choose port 1024 or above, or 0 for a free one"
      case (let code?, _): String(cString: strerror(code))
      case (nil, ChannelError.operationUnsupported): "it was stopped before it started"
      case (nil, _): "\(error)"
      }
    description = "cannot listen on \(options.address) port \(options.port): \(reason)"
  }
}
