import HummingbirdCore
import Logging
import NIOCore

/// Where connections come in: counts them, and has the fault that was drawn for each happen, before TLS and HTTP begin.
package struct FaultyListener<Inner: ServerChildChannel>: ServerChildChannel {
  package typealias Value = Inner.Value

  private let inner: Inner
  private let impostors: [Inner]
  private let handler: RequestHandler

  /// - Parameter impostors: who answers instead, by turns, where the certificate is to be a bad one.
  package init(_ inner: Inner, impostors: [Inner] = [], handler: RequestHandler) {
    (self.inner, self.impostors, self.handler) = (inner, impostors, handler)
  }

  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    do {
      try channel.pipeline.syncOperations.addHandler(HangUpHandler())
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    switch handler.admit() {
    case nil: return inner.setup(channel: channel, logger: logger)
    case .badCertificate: return impostor.setup(channel: channel, logger: logger)
    case .slowHandshake:
      let delay = TimeAmount.milliseconds(handler.settings.handshakeDelay)
      return channel.eventLoop.flatScheduleTask(in: delay) { [inner] in
        inner.setup(channel: channel, logger: logger)
      }.futureResult
    case .refuse:
      channel.slam()
      return channel.closeFuture.flatMapThrowing { throw ChannelError.ioOnClosedChannel }
    }
  }

  private var impostor: Inner {
    impostors.isEmpty ? inner : impostors[(handler.count(.badCertificate) - 1) % impostors.count]
  }

  package func handle(value: Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}
