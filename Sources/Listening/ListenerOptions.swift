import Glibc
import NIOCore
import NIOPosix

/// Where notifications are received, and how much of them.
public struct ListenerOptions: Sendable {
  public var address = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 8990
  /// Bytes of a body, of which Apple's have 19,000.
  public var largestBody = 256 << 10
  /// Bodies that wait for a commit at the most; Apple sends the others again.
  public var mostWaiting = 4096
  /// Milliseconds that a commit waits for another program's: Apple takes half a minute without an answer for a failure. Nil where
  /// the store is a sweep's as well, which waits for longer: what Apple gave up meanwhile is kept all the same, and known when it
  /// comes again.
  public var patience: Int64? = 5000

  /// Longest time for one request to arrive whole.
  static let requestLimit = TimeAmount.seconds(30)
  /// Connections at once, however many files the process may open.
  private static let mostConnections = 512

  public init() {}

  /// Connections at once, so that the process never runs out of descriptors: half of those that it may open, less what the store and
  /// the log take. First raises the soft limit to the hard one.
  static func connectionLimit() -> Int {
    var limit = rlimit()
    let files = Int32(RLIMIT_NOFILE.rawValue)
    guard getrlimit(files, &limit) == 0 else { return 8 }
    var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    if limit.rlim_cur < limit.rlim_max, setrlimit(files, &raised) == 0 { limit = raised }
    let descriptors = Int(clamping: limit.rlim_cur)
    return min(mostConnections, max(8, descriptors / 2 - 32))
  }

  /// Takes the port and gives it back.
  ///
  /// - Throws: what `NotificationListener.start()` would, before anything is made for a listener.
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

/// Why nothing listens.
public struct ListenerProblem: Error, Sendable, CustomStringConvertible {
  public let description: String
  /// Whether somebody has the port, who may be another listener of subtop's.
  public let isInUse: Bool

  init(_ options: ListenerOptions, _ reason: String, isInUse: Bool = false) {
    description =
      "cannot listen on \(options.address) port \(options.port): \(reason)"
    self.isInUse = isInUse
  }

  init(_ options: ListenerOptions, for error: any Error) {
    self.init(
      options, Self.words(for: error), isInUse: (error as? IOError)?.errnoCode == EADDRINUSE)
  }

  /// What is wrong and what to do about it; the library's words where it is nothing that happens to people.
  static func words(for error: any Error) -> String {
    switch error {
    case is SocketAddressError.UnknownHost:
      "it is neither an address nor a name of this machine; give one, such as 127.0.0.1, or 0.0.0.0 for all"
    case let error as IOError:
      switch error.errnoCode {
      case EADDRINUSE:
        "the port is in use by another program; choose another port, or 0 for a free one"
      case EADDRNOTAVAIL:
        "it is no address of this machine; give one, such as 127.0.0.1, or 0.0.0.0 for all"
      case EACCES, EPERM:
        "the system does not permit it; choose a port from 1024 on, or 0 for a free one"
      case let code: "\(String(cString: strerror(code)))"
      }
    case ChannelError.operationUnsupported: "it was told to end before"
    default: "\(error)"
    }
  }
}
