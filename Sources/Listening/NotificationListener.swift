import Dispatch
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ReceiptStore
import ServiceLifecycle
import Synchronization

/// Receives App Store Server Notifications over HTTP, and answers 200 once they are in the store for good.
public final class NotificationListener: Sendable {
  private let options: ListenerOptions
  private let responder: NotificationResponder
  private let store: ReceiptStore
  private let stage = Mutex(Stage.before)
  private let isOver = DispatchSemaphore(value: 0)
  private let lastWords = Mutex<String?>(nil)

  private enum Stage {
    case before
    case running(ServiceGroup)
    /// Told to end.
    case after
  }

  /// - Parameter store: open for writing.
  public init(_ store: ReceiptStore, options: ListenerOptions, hooks: ListenerHooks) {
    (self.options, self.store) = (options, store)
    responder = NotificationResponder(store, options: options, hooks: hooks)
    if let patience = options.patience { store.waitAtMost(patience) }
  }

  public var figures: ListenerFigures { responder.figures }

  /// Serves on threads of its own until `stop()`. Not to be called twice.
  ///
  /// - Returns: the port, once requests are taken.
  public func start() throws(ListenerProblem) -> Int {
    let ready = DispatchSemaphore(value: 0)
    let port = Mutex<Int?>(nil)
    let server: any Service
    do {
      server = try HTTPServerBuilder.http1(
        configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(60))
      ).buildServer(
        configuration: ServerConfiguration(
          address: .hostname(options.address, port: options.port), backlog: 1024),
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Self.silentLogger,
        responder: { [responder] request, writer, channel in
          let response = await responder.respond(to: request, on: channel)
          try await writer.write(response: response.head, body: response.body)
        },
        onServerRunning: { channel in
          port.withLock { $0 = channel.localAddress?.port }
          ready.signal()
        })
    } catch {
      throw ListenerProblem(options, for: error)
    }
    var configuration = ServiceGroupConfiguration(services: [server], logger: Self.silentLogger)
    // Longer than a commit may wait.
    configuration.maximumGracefulShutdownDuration = .seconds(25)
    let service = ServiceGroup(configuration: configuration)
    let isWanted = stage.withLock { stage in
      guard case .before = stage else { return false }
      stage = .running(service)
      return true
    }
    guard isWanted else { throw ListenerProblem(options, "it was told to end before") }
    Task.detached { [self] in
      do {
        try await service.run()
      } catch {
        lastWords.withLock { $0 = ListenerProblem.words(for: error) }
      }
      ready.signal()
      isOver.signal()
    }
    ready.wait()
    guard let port = port.withLock({ $0 }) else {
      throw ListenerProblem(options, lastWords.withLock { $0 } ?? "it ended at once")
    }
    responder.inbox.begin()
    return port
  }

  /// Takes no more connections, and ends when what came in is kept and answered. From any thread, also before the start.
  public func stop() {
    let before = stage.withLock { stage in
      defer { stage = .after }
      return stage
    }
    switch before {
    case .before: isOver.signal()
    case .running(let service): Task.detached { await service.triggerGracefulShutdown() }
    case .after: break
    }
  }

  /// Returns when nothing listens any more. Not to be called twice.
  public func wait() { _ = wait(until: .distantFuture) }

  /// - Returns: whether nothing listens any more. What still comes in afterwards is not answered 200 unless it is kept.
  public func wait(until deadline: DispatchTime) -> Bool {
    guard isOver.wait(timeout: deadline) == .success else { return false }
    responder.inbox.finish(until: min(deadline, .now() + Self.grace))
    store.endReceiving()
    return true
  }

  /// For taking what was kept. What is left then, the next listener takes.
  private static let grace = DispatchTimeInterval.seconds(15)

  /// Standard error may be a terminal's, and the program has a log of its own.
  private static let silentLogger = Logger(label: "subtop-listen") { _ in SwiftLogNoOpLogHandler() }
}
