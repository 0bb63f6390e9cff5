import Glibc
import NIOCore

/// The first handler of every connection: knows when the client has hung up, and can reset.
final class HangUpHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var isLeft = false
  private var closesWhenLeft = false

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent {
      isLeft = true
      if closesWhenLeft { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// A client that has closed its end is gone: nothing more is worth sending.
  func closeWhenLeft(_ context: ChannelHandlerContext) {
    closesWhenLeft = true
    if isLeft { context.close(promise: nil) }
  }
}

extension Channel {
  /// Lets the connection go with a reset.
  func slam() {
    _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    withHangUpHandler { _, context in context.close(promise: nil) }
  }

  /// Returns when the client has gone, or after so many milliseconds.
  func waitForDeparture(atMost patience: Int64) async {
    let end = eventLoop.scheduleTask(in: .milliseconds(patience)) { self.slam() }
    closeWhenLeft()
    try? await closeFuture.get()
    end.cancel()
  }

  /// From now on the connection ends as soon as the client has closed its end.
  func closeWhenLeft() { withHangUpHandler { $0.closeWhenLeft($1) } }

  private func withHangUpHandler(
    _ body: @escaping @Sendable (HangUpHandler, ChannelHandlerContext) -> Void
  ) {
    eventLoop.execute {
      guard let context = try? self.pipeline.syncOperations.context(handlerType: HangUpHandler.self),
        let handler = context.handler as? HangUpHandler
      else { return self.close(promise: nil) }
      body(handler, context)
    }
  }
}
