import Dispatch
import HTTPServer
import NIOCore
import ReceiptStore

/// Receives App Store Server Notifications over HTTP, and answers 200 once they are stored durably.
public final class NotificationListener: Sendable {
  private let options: ListenerOptions
  private let responder: NotificationResponder
  private let store: ReceiptStore
  private let server: HTTPServer

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

  /// Starts to serve on separate threads until `stop()`, and returns the port; must be called only once.
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

  /// Stops accepting connections, and closes open ones within four seconds; may be called before `start()`.
  public func stop() { server.stop(within: .seconds(4)) }

  /// Waits until the listener has stopped; must be called only once.
  public func wait() { _ = wait(until: .distantFuture) }

  /// Waits until the listener has stopped; returns `false` at the deadline.
  ///
  /// Even then, every notification that was answered with 200 is stored.
  public func wait(until deadline: DispatchTime) -> Bool {
    guard server.wait(until: deadline) else { return false }
    responder.inbox.finish(until: min(deadline, .now() + Self.grace))
    store.endReceiving()
    return true
  }

  /// Maximum time for processing the inbox at the end; the next listener processes the rest.
  private static let grace = DispatchTimeInterval.seconds(15)
}
