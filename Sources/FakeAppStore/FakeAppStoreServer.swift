import AppStore
import Dispatch
import Glibc
import HTTPServer
import NIOCore
import Subscriptions
import Synchronization

/// HTTP server of a fake App Store on 127.0.0.1, for tests, benchmarks and the demo.
///
/// It serves verifyReceipt, the Server API at `/inApps`, and reports at `/v1`. For the sandbox, verifyReceipt
/// and the Server API are below `/sandbox`.
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

  public var traffic: FakeTraffic { handler.traffic }

  public var port: Int? { boundPort.withLock { $0 } }

  /// Returns `http://127.0.0.1:PORT/verifyReceipt`, or the sandbox's address; `nil` before `start()`.
  public func url(_ endpoint: FakeEndpoint = .production) -> String? {
    port.map { "http://127.0.0.1:\($0)\(endpoint.rawValue)" }
  }

  /// Returns the base address of the Server API, without `/inApps`; `nil` before `start()`.
  public func serverAPIURL(_ environment: StoreEnvironment = .production) -> String? {
    port.map { "http://127.0.0.1:\($0)\(environment == .sandbox ? ServerAPIRequest.sandbox : "")" }
  }

  public var serverAPIKeyPEM: String { serverAPI?.check.key.pem ?? "" }
  public var issuerID: String { configuration.issuerID }
  public var keyID: String { configuration.keyID }

  /// Root certificate of this server's signatures; `nil` if no key could be generated.
  public var rootCertificate: Certificate? { serverAPI?.signer.authority.root }
  public var rootCertificatePEM: String { rootCertificate?.pem ?? "" }

  /// Starts posting notifications about all events since the server was created; must be called only once.
  public func postNotifications() { poster?.start() }

  public func setFaults(_ faults: [FaultRate]) { handler.setFaults(faults) }

  /// Starts serving on separate threads until `stop()`, and returns the port; must be called only once.
  public func start() throws(FakeAppStoreProblem) -> Int {
    let port: Int
    do {
      port = try server.start()
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
      throw FakeAppStoreProblem(
        description: "the fake App Store could not listen on 127.0.0.1 port \(configuration.port): "
          + "\(reason ?? "\(error)"); choose another port, or 0 for a free one")
    }
    boundPort.withLock { $0 = port }
    return port
  }

  /// Stops posting, refuses new connections, and gives active requests a second to finish.
  public func stop() {
    poster?.stop()
    server.stop(within: .seconds(1))
  }
}

/// Error of a fake App Store that cannot listen on its port.
public struct FakeAppStoreProblem: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// Threads for the server's tasks, because tests that block all threads of Swift's pool would deadlock.
final class ServerThreads: TaskExecutor {
  static let shared = ServerThreads()

  private let queue = DispatchQueue(label: "fake-app-store", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
