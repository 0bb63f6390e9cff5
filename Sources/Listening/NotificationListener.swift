import Dispatch
import HTTPServer
import NIOCore
import ReceiptStore

/// Receives App Store Server Notifications over HTTP, and answers 200 once they are in the store for good.
public final class NotificationListener: Sendable {
  private let options: ListenerOptions
  private let responder: NotificationResponder
  private let store: ReceiptStore
  private let server: HTTPServer

  /// - Parameter store: open for writing.
  public init(_ store: ReceiptStore, options: ListenerOptions, hooks: ListenerHooks) {
    (self.options, self.store) = (options, store)
    let responder = NotificationResponder(store, options: options, hooks: hooks)
    self.responder = responder
    var http = HTTPServerOptions(host: options.address, port: options.port, largestBody: options.largestBody)
    http.answersHalfClosed = true
    http.requestLimit = ListenerOptions.requestLimit
    http.mostConnections = ListenerOptions.connectionLimit()
    http.whenFull = { [most = http.mostConnections] in hooks.report(.crowded(most)) }
    server = HTTPServer(http) { request, _ in await responder.respond(to: request) }
    if let patience = options.patience { store.waitAtMost(patience) }
  }

  public var figures: ListenerFigures { responder.figures }

  /// Serves on threads of its own until `stop()`. Not to be called twice.
  ///
  /// - Returns: the port, once requests are taken.
  public func start() throws(ListenerProblem) -> Int {
    let port: Int
    do {
      port = try server.start()
    } catch {
      throw ListenerProblem(options, for: error)
    }
    responder.inbox.begin()
    return port
  }

  /// Takes no more connections, and closes those whose request is not answered after four seconds. Any thread may call it, also
  /// before the start.
  public func stop() { server.stop(within: .seconds(4)) }

  /// Returns when nothing listens any more. Not to be called twice.
  public func wait() { _ = wait(until: .distantFuture) }

  /// - Returns: whether nothing listens any more. What still comes in afterwards is not answered 200 unless it is kept.
  public func wait(until deadline: DispatchTime) -> Bool {
    guard server.wait(until: deadline) else { return false }
    responder.inbox.finish(until: min(deadline, .now() + Self.grace))
    store.endReceiving()
    return true
  }

  /// For taking what was kept. What is left then, the next listener takes.
  private static let grace = DispatchTimeInterval.seconds(15)
}
