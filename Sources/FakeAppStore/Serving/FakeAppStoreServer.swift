import AppStore
import Dispatch
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Subscriptions
import Synchronization

/// The fake App Store behind HTTP on 127.0.0.1: `POST /verifyReceipt` and the Server API below `/inApps`, and the same of the
/// sandbox below `/sandbox`.
public final class FakeAppStoreServer: Sendable {
  public let store: FakeStore
  public let clock: FakeClock
  private let configuration: FakeAppStoreConfiguration
  private let handler: RequestHandler
  private let serverAPI: ServerAPI?
  private let poster: NotificationPoster?
  private let running = Mutex(Running())

  private struct Running {
    var service: ServiceGroup?
    var task: Task<Void, Never>?
    var port: Int?
  }

  public init(_ configuration: FakeAppStoreConfiguration = FakeAppStoreConfiguration()) {
    self.configuration = configuration
    clock = configuration.clock
    store = configuration.store
    serverAPI = ServerAPI(store.population, configuration)
    poster = serverAPI.flatMap { NotificationPoster($0.notifications, configuration) }
    handler = RequestHandler(store: store, serverAPI: serverAPI, configuration: configuration)
  }

  /// Requests taken so far, faults included.
  public var requestCount: Int { handler.requestCount }

  /// What came so far.
  public var traffic: FakeTraffic { handler.traffic }

  /// Nil before the start.
  public var port: Int? { running.withLock { $0.port } }

  /// `http://127.0.0.1:PORT/verifyReceipt`; nil before the start.
  public func url(_ endpoint: FakeEndpoint = .production) -> String? {
    port.map { "http://127.0.0.1:\($0)\(endpoint.rawValue)" }
  }

  /// What the Server API's paths, from `/inApps` on, are appended to; nil before the start.
  public func serverAPIURL(_ environment: StoreEnvironment = .production) -> String? {
    port.map { "http://127.0.0.1:\($0)\(environment == .sandbox ? ServerAPICall.sandbox : "")" }
  }

  /// The private key by which requests to the Server API are believed, as a `.p8`.
  public var serverAPIKeyPEM: String { serverAPI?.check.key.pem ?? "" }
  public var issuerID: String { configuration.issuerID }
  public var keyID: String { configuration.keyID }

  /// What to trust where this App Store signs; nil where the system gave no randomness.
  public var rootCertificate: Certificate? { serverAPI?.signer.authority.root }
  public var rootCertificatePEM: String { rootCertificate?.pem ?? "" }

  /// Up to when, by this App Store's clock, notifications were posted, and again where they were due; nil where they are posted nowhere.
  public var notifiedUpTo: Instant? { poster?.settledAt }

  /// Posts notifications from now on, where they were not to be posted from the start on. Not to be called twice.
  public func postNotifications() { poster?.start() }

  /// Attempts to post notifications so far.
  public var notificationAttempts: Int { serverAPI?.notifications.log?.counts.attempts ?? 0 }

  /// Faults from the next request on.
  public func setFaults(_ faults: [FaultRate]) { handler.setFaults(faults) }

  /// Serves on threads of its own; gives the port once requests are taken.
  public func start() throws(FakeAppStoreProblem) -> Int {
    let ready = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<Int, FakeAppStoreProblem>?>(nil)
    launch { result in
      outcome.withLock { $0 = result }
      ready.signal()
    }
    ready.wait()
    return try (outcome.withLock { $0 } ?? .failure(problem("it ended at once"))).get()
  }

  /// Serves until `stop()`; gives the port once requests are taken.
  public func start() async throws(FakeAppStoreProblem) -> Int {
    let result: Result<Int, FakeAppStoreProblem> = await withCheckedContinuation { continuation in
      launch { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Takes no more connections, and ends when the requests under way are answered.
  ///
  /// Cancelling the task instead would be quicker, and has been seen to trap in NIO when a connection was just coming in.
  public func stop() {
    guard let service = running.withLock({ $0.service }) else { return }
    handler.close()
    poster?.stop()
    Task.detached { await service.triggerGracefulShutdown() }
  }

  /// Returns when nothing listens any more; at once where nothing ever did.
  public func waitUntilStopped() async { await running.withLock { $0.task }?.value }

  /// Reports exactly once: the port, or why there is none.
  private func launch(_ report: @escaping @Sendable (Result<Int, FakeAppStoreProblem>) -> Void) {
    let reported = Atomic(false)
    @Sendable func reportOnce(_ result: Result<Int, FakeAppStoreProblem>) {
      guard !reported.exchange(true, ordering: .acquiringAndReleasing) else { return }
      if case .success(let port) = result {
        running.withLock { $0.port = port }
        if configuration.postsFromTheStart { poster?.start() }
      }
      report(result)
    }
    let server: any Service
    do {
      server = try self.server { port in
        reportOnce(port.map(Result.success) ?? .failure(self.problem("it has no port")))
      }
    } catch {
      return reportOnce(.failure(problem("\(error)")))
    }
    let service = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [server], logger: Self.silentLogger))
    let work: @Sendable () async -> Void = { [self] in
      do {
        try await service.run()
        reportOnce(.failure(problem("it ended at once")))
      } catch {
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
        reportOnce(.failure(problem(reason ?? "\(error)")))
      }
    }
    let isFirst = running.withLock { running in
      guard running.service == nil else { return false }
      running.service = service
      running.task = Task.detached(executorPreference: ServerThreads.shared, operation: work)
      return true
    }
    if !isFirst { reportOnce(.failure(problem("this one was started before"))) }
  }

  private func server(_ isRunning: @escaping @Sendable (Int?) -> Void) throws -> any Service {
    try HTTPServerBuilder { [handler] responder in
      FaultyListener(HTTP1Channel(responder: responder), handler: handler)
    }.buildServer(
      configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: configuration.port)),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Self.silentLogger,
      responder: { [handler] request, writer, channel in
        let response = try await handler.respond(to: request, on: channel)
        try await writer.write(response: response.head, body: response.body)
      }, onServerRunning: { isRunning($0.localAddress?.port) })
  }

  /// Standard error may be a dashboard's terminal.
  private static let silentLogger = Logger(label: "fake-app-store") { _ in SwiftLogNoOpLogHandler() }

  private func problem(_ reason: String) -> FakeAppStoreProblem {
    FakeAppStoreProblem(port: configuration.port, reason: reason)
  }
}

/// Why the fake App Store does not serve.
public struct FakeAppStoreProblem: Error, Sendable, CustomStringConvertible {
  public let port: Int
  public let reason: String

  public var description: String {
    "the fake App Store could not listen on 127.0.0.1 port \(port): \(reason); choose another port, or 0 for a free one"
  }
}
