import HummingbirdCore
import Logging
import NIOCore

/// Where connections come in: counts them, and has the fault that was drawn for each happen, before HTTP begins.
struct FaultyListener: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  private let inner: HTTP1Channel
  private let handler: RequestHandler

  init(_ inner: HTTP1Channel, handler: RequestHandler) { (self.inner, self.handler) = (inner, handler) }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    do {
      try channel.pipeline.syncOperations.addHandler(HangUpHandler())
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    switch handler.admit() {
    case nil: return inner.setup(channel: channel, logger: logger)
    case .refuse:
      channel.slam()
      return channel.closeFuture.flatMapThrowing { throw ChannelError.ioOnClosedChannel }
    }
  }

  func handle(value: Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}
