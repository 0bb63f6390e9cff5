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

/// How a fake App Store is to behave.
public struct FakeAppStoreConfiguration: Sendable {
  public var subscribers = 5000
  public var seed: UInt64 = 1
  /// The instant at which the population is as described; nil is the clock's own beginning.
  public var founded: Instant?
  /// Whether the population has a past with stories in it, and customers go on coming.
  public var stories = false
  /// On 127.0.0.1; 0 takes a free one.
  public var port = 0
  /// How many apps the subscribers use, by turns: `FakeCatalog.bundleID(ofApp:)` names them.
  public var apps = 1
  /// The secret of every app that has none of its own.
  public var sharedSecret = FakeStore.defaultSharedSecret
  /// App-specific shared secrets: such an app takes no other.
  public var sharedSecrets: [BundleID: String] = [:]
  /// Who bears the Server API's key.
  public var issuerID = FakeStore.defaultIssuerID
  public var keyID = FakeStore.defaultKeyID
  /// Requests a second that the Server API takes for each app and endpoint, and a tenth of it in the sandbox; nil is no limit.
  public var serverAPIRate: Int?
  /// Apps without a release: in production the Server API believes none of their tokens.
  public var unreleasedApps: Set<BundleID> = []
  /// Where notifications of what happens are posted to; nil is nowhere.
  public var notificationAddress: NotificationAddress?
  /// Whether they are posted from the start on; otherwise from `postNotifications()` on, with those that came due meanwhile.
  public var postsFromTheStart = true
  public var faults: [FaultRate] = []
  public var faultSettings = FaultSettings()
  /// Whether answers are compressed for a client that says `Accept-Encoding: gzip`.
  public var compresses = true
  /// Milliseconds that every answer takes longer.
  public var latency: Int64 = 0
  /// Bytes by which every receipt is longer.
  public var receiptPadding = 0
  public var clock: FakeClock

  public init(clock: FakeClock = FakeClock(startingAt: FakeClock.realNow)) { self.clock = clock }

  var store: FakeStore {
    let population = FakePopulation(
      subscribers: subscribers, seed: seed, founded: founded ?? clock.now, apps: apps, stories: stories)
    return FakeStore(
      population: population, sharedSecret: sharedSecret, sharedSecrets: sharedSecrets,
      receiptPadding: receiptPadding)
  }
}
