import NIOCore
import NIOHTTP1
import NIOPosix

/// Posts notifications, each over a connection of its own.
struct NotificationClient: Sendable {
  let address: NotificationAddress
  /// Seconds that an answer may take.
  var patience: Int64 = 10

  /// Waits until it is known what became of it. Not to be called on a thread of NIO's.
  func post(_ body: [UInt8]) -> NotificationAttempt.Result {
    let group = MultiThreadedEventLoopGroup.singleton
    let promise = group.next().makePromise(of: Int.self)
    let request = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: address.path,
      headers: [
        "Host": "\(address.host):\(address.port)", "Content-Type": "application/json",
        "Content-Length": "\(body.count)", "User-Agent": "App Store Server Notifications",
        "Connection": "close",
      ])
    let connecting = ClientBootstrap(group: group).connectTimeout(.seconds(patience))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(
            Exchange(request: request, body: ByteBuffer(bytes: body), status: promise))
        }
      }
      .connect(host: address.host, port: address.port)
    connecting.whenFailure { promise.fail($0) }
    connecting.whenSuccess { channel in
      let end = channel.eventLoop.scheduleTask(in: .seconds(patience)) {
        promise.fail(ChannelError.connectTimeout(.seconds(patience)))
        channel.close(promise: nil)
      }
      channel.closeFuture.whenComplete { _ in end.cancel() }
    }
    do {
      // What is taken is said with 200 to 206: *Responding to App Store Server Notifications*.
      return (200...206).contains(try promise.futureResult.wait()) ? .success : .unsuccessfulStatus
    } catch ChannelError.connectTimeout {
      return .timedOut
    } catch ChannelError.eof {
      return .prematureClose
    } catch is NIOConnectionError {
      return .noResponse
    } catch {
      return .socketIssue
    }
  }

  /// Sends one request and keeps the status of its answer.
  private final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let body: ByteBuffer
    private let status: EventLoopPromise<Int>
    private var head: Int?

    init(request: HTTPRequestHead, body: ByteBuffer, status: EventLoopPromise<Int>) {
      (self.request, self.body, self.status) = (request, body, status)
    }

    func channelActive(context: ChannelHandlerContext) {
      context.write(wrapOutboundOut(.head(request)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let answer): head = Int(answer.status.code)
      case .body: break
      case .end:
        if let head { status.succeed(head) }
        context.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      status.fail(ChannelError.eof)
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      status.fail(error)
      context.close(promise: nil)
    }
  }
}
