import HummingbirdCore
import Logging
import NIOCore

/// Where connections come in: counts them, and lets happen to each what its die says, before TLS and HTTP begin.
package struct Door<Inner: ServerChildChannel>: ServerChildChannel {
  package typealias Value = Inner.Value

  private let inner: Inner
  private let impostors: [Inner]
  private let desk: FrontDesk

  /// - Parameter impostors: who answers instead, by turns, where the certificate is to be a bad one.
  package init(_ inner: Inner, impostors: [Inner] = [], desk: FrontDesk) {
    (self.inner, self.impostors, self.desk) = (inner, impostors, desk)
  }

  package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    do {
      try channel.pipeline.syncOperations.addHandler(Threshold())
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    switch desk.admit() {
    case nil: return inner.setup(channel: channel, logger: logger)
    case .badCertificate: return impostor.setup(channel: channel, logger: logger)
    case .slowHandshake:
      let delay = TimeAmount.milliseconds(desk.settings.handshakeDelay)
      return channel.eventLoop.flatScheduleTask(in: delay) { [inner] in
        inner.setup(channel: channel, logger: logger)
      }.futureResult
    case .refuse:
      channel.slam()
      return channel.closeFuture.flatMapThrowing { throw ChannelError.ioOnClosedChannel }
    }
  }

  private var impostor: Inner {
    impostors.isEmpty ? inner : impostors[(desk.count(.badCertificate) - 1) % impostors.count]
  }

  package func handle(value: Value, logger: Logger) async { await inner.handle(value: value, logger: logger) }
}
