import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// HTTP/1.1 server that reads complete requests, passes them to a handler, and sends the handler's responses.
public final class HTTPServer: Sendable {
  private let options: HTTPServerOptions
  private let handler: HTTPHandler
  private let admit: (@Sendable (any Channel) -> Void)?
  private let state = Mutex(State())
  private let running = DispatchGroup()

  private struct State {
    var isStopped = false
    var listening: (any Channel)?
    var connections: [ObjectIdentifier: any Channel] = [:]
  }

  /// Creates a server; `admit` gets each new connection on its event loop before any read, and may close it.
  public init(
    _ options: HTTPServerOptions, admit: (@Sendable (any Channel) -> Void)? = nil,
    handler: @escaping HTTPHandler
  ) {
    (self.options, self.admit, self.handler) = (options, admit, handler)
  }

  /// Listens on NIO's threads until `stop(within:)`, and returns the port; must be called only once.
  ///
  /// - Throws: NIO's `IOError` or `SocketAddressError` if the address cannot be bound;
  ///   `ChannelError.operationUnsupported` if the server was already started or stopped.
  public func start() throws -> Int {
    let listening = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Accepts one connection per read, so that the maximum number is not exceeded.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .serverChannelInitializer { [options] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptLimiter(options.mostConnections, whenFull: options.whenFull))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: options.answersHalfClosed)
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try setUp(channel) }
      }
      .bind(host: options.host, port: options.port).wait()
    let isWanted = state.withLock { state in
      guard !state.isStopped, state.listening == nil else { return false }
      state.listening = listening
      running.enter()
      return true
    }
    guard isWanted else {
      listening.close(promise: nil)
      throw ChannelError.operationUnsupported
    }
    return listening.localAddress?.port ?? options.port
  }

  /// Refuses new connections and returns at once; after the time `limit`, current requests are aborted.
  public func stop(within limit: TimeAmount) {
    let (listening, connections) = state.withLock { state in
      defer { (state.isStopped, state.listening) = (true, nil) }
      return (state.listening, Array(state.connections.values))
    }
    guard let listening else { return }
    for connection in connections {
      // NIO's pipeline handler closes the connection, after the response if a request is being processed.
      connection.eventLoop.execute {
        connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
    }
    let group = listening.eventLoop
    let expiry = group.scheduleTask(in: limit) { [self] in
      for connection in state.withLock({ Array($0.connections.values) }) { connection.close(promise: nil) }
    }
    let closed = [listening.closeFuture] + connections.map(\.closeFuture)
    EventLoopFuture.andAllComplete(closed, on: group).whenComplete { [running] _ in
      expiry.cancel()
      running.leave()
    }
    listening.close(promise: nil)
  }

  /// Waits until the server has stopped; returns `false` at the deadline, and `true` if it never started.
  public func wait(until deadline: DispatchTime) -> Bool { running.wait(timeout: deadline) == .success }

  private func setUp(_ channel: any Channel) throws {
    let id = ObjectIdentifier(channel)
    let isWelcome = state.withLock { state in
      if !state.isStopped { state.connections[id] = channel }
      return !state.isStopped
    }
    guard isWelcome else { throw ChannelError.alreadyClosed }
    channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.connections[id] = nil } }
    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(options, handler))
    admit?(channel)
  }
}

/// Stops accepting connections while the server has the maximum number of them.
private final class AcceptLimiter: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = any Channel

  private let most: Int
  private let whenFull: (@Sendable () -> Void)?
  private var count = 0
  private var isReadHeld = false

  init(_ most: Int, whenFull: (@Sendable () -> Void)?) { (self.most, self.whenFull) = (most, whenFull) }

  func read(context: ChannelHandlerContext) {
    guard count >= most else { return context.read() }
    if !isReadHeld { whenFull?() }
    isReadHeld = true
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    count += 1
    let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
      let (handler, context) = bound.value
      handler.count -= 1
      guard handler.isReadHeld, handler.count < handler.most else { return }
      handler.isReadHeld = false
      context.read()
    }
    context.fireChannelRead(data)
  }
}
