import NIOCore
import NIOHTTP1

/// Collects the parts of each request of one connection, and sends the handler's response.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let options: HTTPServerOptions
  private let handler: HTTPHandler
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// Closes a connection whose request takes too long to arrive; `nil` while a response is being made.
  private var limit: Scheduled<Void>?

  /// How long a client may go on sending a body that is too large, so that it reads the response before the connection closes.
  private static let lingering = TimeAmount.seconds(1)

  init(_ options: HTTPServerOptions, _ handler: @escaping HTTPHandler) {
    (self.options, self.handler) = (options, handler)
  }

  func channelActive(context: ChannelHandlerContext) {
    expectRequest(on: context.channel)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    limit?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, body) = (head, [])
      if (head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0) > options.largestBody {
        respond(to: head, isTooLarge: true, context)
      } else if head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
        let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
      }
    case .body(let bytes):
      guard let head else { return }
      body.append(contentsOf: bytes.readableBytesView)
      if body.count > options.largestBody { respond(to: head, isTooLarge: true, context) }
    case .end:
      if let head { respond(to: head, isTooLarge: false, context) }
    }
  }

  private func expectRequest(on channel: any Channel) {
    limit = channel.eventLoop.scheduleTask(in: options.requestLimit) { channel.close(promise: nil) }
  }

  private func respond(to head: HTTPRequestHead, isTooLarge: Bool, _ context: ChannelHandlerContext) {
    limit?.cancel()
    let request = HTTPRequest(head, body: body, isTooLarge: isTooLarge)
    (self.head, body) = (nil, [])
    let isLast = isTooLarge || !head.isKeepAlive
    let (handler, channel) = (handler, context.channel)
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let answer: @Sendable () async -> Void = {
      await Self.answer(request, handler, channel, this, isLast: isLast)
    }
    Task.detached(executorPreference: options.executor, operation: answer)
  }

  private static func answer(
    _ request: HTTPRequest, _ handler: HTTPHandler, _ channel: any Channel,
    _ this: NIOLoopBound<ConnectionHandler>,
    isLast: Bool
  ) async {
    do {
      guard let response = await handler(request, channel) else { throw ChannelError.eof }
      try await send(response, isLast: isLast, hasBody: request.method != .HEAD, on: channel)
      // The next request may come as soon as the end is written, so its time is counted from before.
      try await channel.eventLoop.flatSubmit {
        if !isLast { this.value.expectRequest(on: channel) }
        return channel.writeAndFlush(HTTPServerResponsePart.end(nil))
      }.get()
    } catch {
      return channel.close(promise: nil)
    }
    if request.isTooLarge {
      channel.eventLoop.scheduleTask(in: lingering) { channel.close(promise: nil) }
    } else if isLast {
      channel.close(promise: nil)
    }
  }

  /// Sends all but the end.
  private static func send(
    _ response: HTTPResponse, isLast: Bool, hasBody: Bool, on channel: any Channel
  )
    async throws
  {
    var head = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
    if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
    let length =
      switch response.body {
      case .bytes(let bytes): bytes.count as Int?
      case .stream(let length, _): length
      }
    if let length { head.headers.replaceOrAdd(name: "Content-Length", value: "\(length)") }
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    guard hasBody else { return }
    switch response.body {
    case .bytes(let bytes):
      channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
    case .stream(_, let write):
      channel.flush()
      try await write { try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer($0))).get() }
    }
  }
}
