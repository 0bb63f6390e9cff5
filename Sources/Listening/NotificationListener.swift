import Dispatch
import Hummingbird
import HummingbirdCore
import Logging
import ReceiptStore
import ServiceLifecycle
import Subscriptions
import Synchronization

/// Receives App Store Server Notifications over HTTP, and answers 200 once they are in the store for good.
public final class NotificationListener: Sendable {
  private let options: ListenerOptions
  private let responder: NotificationResponder
  private let store: ReceiptStore
  private let running = Mutex<ServiceGroup?>(nil)
  private let isOver = DispatchSemaphore(value: 0)
  private let lastWords = Mutex<String?>(nil)

  /// - Parameter store: open for writing.
  public init(_ store: ReceiptStore, options: ListenerOptions, hooks: ListenerHooks) {
    (self.options, self.store) = (options, store)
    responder = NotificationResponder(store, options: options, hooks: hooks)
    store.waitAtMost(options.patience)
  }

  public var figures: ListenerFigures { responder.figures }

  /// Serves on threads of its own until `stop()`.
  ///
  /// - Returns: the port, once requests are taken.
  public func start() throws(ListenerProblem) -> Int {
    let ready = DispatchSemaphore(value: 0)
    let port = Mutex<Int?>(nil)
    let application = Application(
      responder: responder,
      server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(
        address: .hostname(options.address, port: options.port), serverName: nil, backlog: 1024),
      onServerRunning: { channel in
        port.withLock { $0 = channel.localAddress?.port }
        ready.signal()
      }, logger: Self.silentLogger)
    var configuration = ServiceGroupConfiguration(services: [application], logger: Self.silentLogger)
    // Longer than a commit may wait.
    configuration.maximumGracefulShutdownDuration = .seconds(25)
    let service = ServiceGroup(configuration: configuration)
    running.withLock { $0 = service }
    Task.detached { [self] in
      do {
        try await service.run()
      } catch {
        lastWords.withLock { $0 = "\(error)" }
      }
      ready.signal()
      isOver.signal()
    }
    ready.wait()
    guard let port = port.withLock({ $0 }) else {
      throw ListenerProblem(options, lastWords.withLock { $0 } ?? "it ended at once")
    }
    return port
  }

  /// Takes no more connections, and ends when what came in is kept and answered. From any thread.
  public func stop() {
    guard let service = running.withLock({ $0 }) else { return }
    Task.detached { await service.triggerGracefulShutdown() }
  }

  /// Returns when nothing listens any more.
  public func wait() {
    isOver.wait()
    store.endReceiving()
  }

  /// Standard error may be a terminal's, and the program has a log of its own.
  private static let silentLogger = Logger(label: "subtop-listen") { _ in SwiftLogNoOpLogHandler() }
}
