import Dispatch
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Subscriptions
import Synchronization

/// Posts notifications as the fake's clock reaches their events, and retries failed ones.
final class NotificationPoster: Sendable {
  private let centre: NotificationCentre
  private let log: NotificationLog
  private let client: NotificationClient
  private let clock: FakeClock
  private let isStopped = Atomic(false)
  private let settled: Atomic<Int64>
  private let queue = DispatchQueue(label: "fake-app-store.notifications")

  /// Milliseconds between two checks of the clock.
  private static let interval: UInt32 = 20

  /// Notification that failed and will be posted again.
  private struct Retry {
    let due: Instant
    let entry: NotificationAgenda.Entry
  }

  /// `nil` if there is no address.
  init?(_ centre: NotificationCentre, _ configuration: FakeAppStoreConfiguration) {
    guard let log = centre.log, let address = configuration.notificationAddress else { return nil }
    (self.centre, self.log, clock) = (centre, log, configuration.clock)
    client = NotificationClient(address: address)
    settled = Atomic(log.since.rawValue)
  }

  /// Instant of the fake's clock. Notifications and retries due until then have been attempted.
  var settledAt: Instant { Instant(milliseconds: settled.load(ordering: .acquiring)) }

  /// Starts posting on a separate thread, which ends soon after `stop()`.
  func start() { queue.async { self.run() } }

  func stop() { isStopped.store(true, ordering: .releasing) }

  private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

  private func run() {
    var reached = NotificationAgenda.Key(at: log.since, index: .max, order: 0)
    var retries: [Retry] = []
    while goesOn {
      let now = clock.now
      let due = retries.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.entry)
      retries.removeAll { $0.due <= now }
      let fresh = now > reached.at ? Array(centre.agenda.entries(after: reached, upTo: now)) : []
      if now > reached.at { reached = NotificationAgenda.Key(at: now, index: .max, order: 0) }
      let tests = centre.takeTests()
      for (token, payload) in tests where goesOn { post(NotificationPayload.body(payload), token) }
      for entry in due + fresh where goesOn {
        let payload = centre.payload(of: entry)
        let attempts = post(payload.body, payload.uuid)
        if let next = attempts.next(isSandbox: entry.isSandbox) {
          retries.append(Retry(due: next, entry: entry))
        }
      }
      if goesOn { settled.store(now.rawValue, ordering: .releasing) }
      if due.isEmpty, fresh.isEmpty, tests.isEmpty { usleep(Self.interval * 1000) }
    }
  }

  @discardableResult
  private func post(_ body: [UInt8], _ uuid: String) -> [NotificationAttempt] {
    let result = client.post(body)
    return log.add(NotificationAttempt(date: clock.now, result: result), of: uuid)
  }
}

/// HTTP client that opens a connection for each notification.
struct NotificationClient: Sendable {
  let address: NotificationAddress
  /// Timeout in seconds.
  var patience: Int64 = 10

  /// Posts a body and waits for the outcome. Do not call it on an event loop.
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
      // Success is 200 to 206: *Responding to App Store Server Notifications*.
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

  /// Sends one request and reports the status of its response.
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
