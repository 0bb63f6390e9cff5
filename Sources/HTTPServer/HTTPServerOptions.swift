import NIOCore

/// Address and limits of an `HTTPServer`.
public struct HTTPServerOptions: Sendable {
  /// Address, or name of this machine.
  public var host = "127.0.0.1"
  /// 0 selects a free port.
  public var port = 0
  /// Largest body of a request, in bytes. The handler sees a larger one as `HTTPRequest.isTooLarge`.
  public var largestBody: Int
  /// Longest time for a request to arrive, from the opening of the connection or the last response, and for
  /// the client to take a response that is not streamed. Then the connection is closed.
  public var requestLimit = TimeAmount.seconds(60)
  /// Whether a client that has closed its sending side still gets its response. If not, it is disconnected.
  public var answersHalfClosed = false
  /// Further connections wait in the system's backlog.
  public var mostConnections = Int.max
  /// Called on an event loop when a connection has to wait because of `mostConnections`.
  public var whenFull: (@Sendable () -> Void)?
  /// Executor of the handler; `nil` is Swift's shared pool.
  public var executor: (any TaskExecutor)?

  public init(host: String = "127.0.0.1", port: Int = 0, largestBody: Int) {
    (self.host, self.port, self.largestBody) = (host, port, largestBody)
  }
}
