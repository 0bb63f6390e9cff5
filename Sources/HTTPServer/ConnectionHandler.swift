import NIOCore
import NIOHTTP1

/// Collects the parts of each request on one connection, and sends the handler's response.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let options: HTTPServerOptions
  private let handler: HTTPHandler
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// Task that closes the connection if a request takes too long to arrive.
  private var limit: Scheduled<Void>?
  private var isAnswering = false
  /// Whether the connection closes after the current response, so that further requests are ignored.
  private var isLast = false

  /// Delay before closing after the response to a too large body, so that the client can read the response.
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

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent {
      isLast = true
      if !isAnswering { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isLast else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, body) = (head, [])
      if (head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0) > options.largestBody {
        respond(to: head, isTooLarge: true, context)
      } else if head.version == .http1_1, head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
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
    guard channel.isActive else { return }
    limit = channel.eventLoop.scheduleTask(in: options.requestLimit) { channel.close(promise: nil) }
  }

  private func respond(to head: HTTPRequestHead, isTooLarge: Bool, _ context: ChannelHandlerContext) {
    limit?.cancel()
    let request = HTTPRequest(head, body: body, isTooLarge: isTooLarge)
    (self.head, body) = (nil, [])
    (isAnswering, isLast) = (true, isTooLarge || !head.isKeepAlive)
    let (handler, options, channel) = (handler, options, context.channel)
    let this = NIOLoopBound(self, eventLoop: context.eventLoop)
    let answer: @Sendable () async -> Void = { [isLast] in
      do {
        guard let response = await handler(request, channel) else { throw ChannelError.eof }
        try await Self.send(response, to: request, isLast: isLast, options, on: channel)
        // The next request may arrive as soon as the end is written, so its time limit starts before that.
        try await channel.eventLoop.flatSubmit {
          this.value.endResponse(on: channel)
          return channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        }.get()
        try await channel.eventLoop.submit { this.value.closeIfLast(channel, isTooLarge: isTooLarge) }.get()
      } catch {
        channel.close(promise: nil)
      }
    }
    Task.detached(executorPreference: options.executor, operation: answer)
  }

  private func endResponse(on channel: any Channel) {
    isAnswering = false
    if !isLast { expectRequest(on: channel) }
  }

  private func closeIfLast(_ channel: any Channel, isTooLarge: Bool) {
    guard isLast, !isAnswering else { return }
    if isTooLarge {
      channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
    } else {
      channel.close(promise: nil)
    }
  }

  private static func send(
    _ response: HTTPResponse, to request: HTTPRequest, isLast: Bool, _ options: HTTPServerOptions,
    on channel: any Channel
  ) async throws {
    var head = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
    if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
    let length =
      switch response.body {
      case .bytes(let bytes): bytes.count as Int?
      case .stream(let length, _): length
      }
    if let length { head.headers.replaceOrAdd(name: "Content-Length", value: "\(length)") }
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    switch response.body {
    case .bytes(let bytes):
      let limit = channel.eventLoop.scheduleTask(in: options.requestLimit) { channel.close(promise: nil) }
      defer { limit.cancel() }
      let sent = ByteBuffer(bytes: request.method == .HEAD ? [] : bytes)
      try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(sent))).get()
    case .stream(_, let write):
      channel.flush()
      guard request.method != .HEAD else { return }
      try await write { try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer($0))).get() }
    }
  }
}
