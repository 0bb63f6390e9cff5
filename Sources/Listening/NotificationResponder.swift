import AppStore
import Dispatch
import HTTPServer
import NIOHTTP1
import ReceiptStore
import Subscriptions

/// Answers requests: `POST /` and `POST /notifications` for notifications, `GET /healthz`, `GET /metrics`.
final class NotificationResponder: Sendable {
  private let store: ReceiptStore
  private let options: ListenerOptions
  private let hooks: ListenerHooks
  private let commits: GroupCommit
  let inbox: InboxWorker
  private let counts = ListenerCounts()

  init(_ store: ReceiptStore, options: ListenerOptions, hooks: ListenerHooks) {
    (self.store, self.options, self.hooks) = (store, options, hooks)
    inbox = InboxWorker(store, hooks: hooks)
    commits = GroupCommit(store, inbox, mostWaiting: options.mostWaiting, clock: hooks.clock, counts)
  }

  var figures: ListenerFigures {
    var figures = counts.current
    (figures.backlog, figures.inbox) = (commits.backlog, inbox.count)
    return figures
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    var response = await answer(request)
    response.headers.replaceOrAdd(name: "Date", value: hooks.clock().httpDate)
    return response
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    switch request.path {
    case "/", "/notifications":
      guard request.method == .POST else { return .notAllowed("POST") }
      return await take(request)
    case "/healthz":
      guard request.method == .GET else { return .notAllowed("GET") }
      return await health()
    case "/metrics":
      guard request.method == .GET else { return .notAllowed("GET") }
      return .text(
        .ok, hooks.metrics(figures), type: "application/openmetrics-text; version=1.0.0; charset=utf-8")
    default: return .text(.notFound, "There is no such page here: notifications go to /.\n")
    }
  }

  private func take(_ request: HTTPRequest) async -> HTTPResponse {
    guard !request.isTooLarge else {
      refuse("it is longer than \(options.largestBody >> 10) KiB", bytes: 0)
      return .text(
        .payloadTooLarge,
        "The body is longer than \(options.largestBody >> 10) KiB, which no notification is.\n")
    }
    let bytes = request.body
    let body: NotificationBody
    do throws(UnreadableAnswer) {
      body = try NotificationBody(decoding: bytes)
    } catch {
      return refuse("it is not a server notification: \(error)", bytes: bytes.count)
    }
    switch hooks.admit(body) {
    case .refused(let reason): return refuse(reason, bytes: bytes.count)
    case .unknown(let reason): return fail(nil, reason, bytes: bytes.count)
    case .taken(let notification): return await keep(notification, bytes)
    }
  }

  private func keep(_ notification: ReceivedNotification, _ body: [UInt8]) async -> HTTPResponse {
    switch await commits.keep(notification, body: body) {
    case .kept:
      count(notification.type, .kept, body.count)
      return HTTPResponse(status: .ok)
    case .replayed:
      count(notification.type, .replayed, body.count)
      return HTTPResponse(status: .ok)
    case .refused(let reason): return refuse(reason, bytes: body.count)
    case .failed(let reason): return fail(notification.type, reason, bytes: body.count)
    case .full:
      return fail(notification.type, "\(options.mostWaiting) others wait to be kept", bytes: body.count)
    }
  }

  /// Returns a 4xx: sending the notification again is useless.
  @discardableResult
  private func refuse(_ reason: String, bytes: Int) -> HTTPResponse {
    count(nil, .refused, bytes)
    hooks.report(.refused(reason))
    return .text(.badRequest, "The notification is not taken: \(reason).\n")
  }

  /// Returns a 5xx, so that Apple sends the notification again. Only the operator sees the reason.
  private func fail(_ type: NotificationType?, _ reason: String, bytes: Int) -> HTTPResponse {
    count(type, .failed, bytes)
    hooks.report(.failed(reason))
    return .text(.internalServerError, "The notification could not be kept; send it again.\n")
  }

  private func count(_ type: NotificationType?, _ result: ListenerFigures.Result, _ bytes: Int) {
    counts.take(type, result, bytes: bytes, at: hooks.clock())
  }

  private func health() async -> HTTPResponse {
    let store = store
    // Reading may wait for the disk, and tasks have few threads.
    let reason: String? = await withCheckedContinuation { answer in
      DispatchQueue.global().async {
        do throws(StoreError) {
          try store.checkReading()
          answer.resume(returning: nil)
        } catch {
          answer.resume(returning: error.description)
        }
      }
    }
    guard let reason else { return .text(.ok, "ok\n") }
    hooks.report(.failed(reason))
    return .text(.serviceUnavailable, "The store cannot be read.\n")
  }
}

extension HTTPResponse {
  fileprivate static func text(
    _ status: HTTPResponseStatus, _ text: String, type: String = "text/plain; charset=utf-8"
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
  }

  fileprivate static func notAllowed(_ method: String) -> HTTPResponse {
    var response = text(.methodNotAllowed, "This page takes \(method) alone.\n")
    response.headers.add(name: "Allow", value: method)
    return response
  }
}
