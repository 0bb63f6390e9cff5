import AppStore
import Dispatch
import Glibc
import HTTPServer
import NIOCore
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
  private let server: HTTPServer
  private let boundPort = Mutex<Int?>(nil)

  public init(_ configuration: FakeAppStoreConfiguration = FakeAppStoreConfiguration()) {
    self.configuration = configuration
    clock = configuration.clock
    store = configuration.store
    serverAPI = ServerAPI(store.population, configuration)
    poster = serverAPI.flatMap { NotificationPoster($0.notifications, configuration) }
    let handler = RequestHandler(store: store, serverAPI: serverAPI, configuration: configuration)
    self.handler = handler
    var options = HTTPServerOptions(port: configuration.port, largestBody: RequestHandler.largestRequest)
    options.executor = ServerThreads.shared
    server = HTTPServer(options, admit: { handler.admit($0) }) { await handler.respond(to: $0, on: $1) }
  }

  /// Requests taken so far, faults included.
  public var requestCount: Int { handler.requestCount }

  /// What came so far.
  public var traffic: FakeTraffic { handler.traffic }

  /// Nil before the start.
  public var port: Int? { boundPort.withLock { $0 } }

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

  /// Serves on threads of its own until `stop()`. Call it once.
  ///
  /// - Returns: the port.
  public func start() throws(FakeAppStoreProblem) -> Int {
    let port: Int
    do {
      port = try server.start()
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
      throw FakeAppStoreProblem(port: configuration.port, reason: reason ?? "\(error)")
    }
    boundPort.withLock { $0 = port }
    if configuration.postsFromTheStart { poster?.start() }
    return port
  }

  /// Refuses new connections, and gives the requests under way a second to end.
  public func stop() {
    poster?.stop()
    server.stop(within: .seconds(1))
  }

  /// Returns when the server has stopped; at once if it never started.
  public func waitUntilStopped() async { await server.waitUntilStopped() }
}

/// Why the fake App Store does not serve.
public struct FakeAppStoreProblem: Error, Sendable, CustomStringConvertible {
  public let port: Int
  public let reason: String

  public var description: String {
    "the fake App Store could not listen on 127.0.0.1 port \(port): \(reason); choose another port, or 0 for a free one"
  }
}

/// Threads of the server's own: those that Swift's tasks share are as few as the machine's cores, and whoever blocks them
/// while he waits for an answer would wait for ever.
final class ServerThreads: TaskExecutor {
  static let shared = ServerThreads()

  private let queue = DispatchQueue(label: "fake-app-store", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
