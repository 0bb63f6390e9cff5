import AppStore
import Dispatch
import HTTPServer
import NIOHTTP1
import ReceiptStore
import Subscriptions
import Synchronization

/// Answers requests: `POST /` and `POST /notifications` for notifications, `GET /healthz`, `GET /metrics`.
final class NotificationResponder: Sendable {
  private let store: ReceiptStore
  private let options: ListenerOptions
  private let hooks: ListenerHooks
  private let commits: GroupCommit
  let inbox: InboxWorker
  private let counts = Mutex(ListenerFigures())

  init(_ store: ReceiptStore, options: ListenerOptions, hooks: ListenerHooks) {
    (self.store, self.options, self.hooks) = (store, options, hooks)
    inbox = InboxWorker(store, hooks: hooks)
    commits = GroupCommit(store, inbox, mostWaiting: options.mostWaiting, clock: hooks.clock)
  }

  var figures: ListenerFigures {
    var figures = counts.withLock { $0 }
    (figures.backlog, figures.commits) = commits.progress
    figures.inbox = inbox.count
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
    case "/healthz", "/metrics":
      guard request.method == .GET else { return .notAllowed("GET") }
      if request.path == "/healthz" { return await health() }
      return .text(
        .ok, hooks.metrics(figures), type: "application/openmetrics-text; version=1.0.0; charset=utf-8")
    default: return .text(.notFound, "Not found. Send notifications to /.\n")
    }
  }

  private func take(_ request: HTTPRequest) async -> HTTPResponse {
    let body = request.body
    guard !request.isTooLarge else {
      let limit = "\(options.largestBody >> 10) KiB"
      _ = answer(.refused, nil, "it is longer than \(limit)", bytes: 0)
      return .text(.payloadTooLarge, "The body is longer than \(limit), the limit for a notification.\n")
    }
    switch hooks.admission(of: body) {
    case .refused(let reason): return answer(.refused, nil, reason, bytes: body.count)
    case .unknown(let reason): return answer(.failed, nil, reason, bytes: body.count)
    case .taken(let notification):
      let type = notification.type
      switch await commits.keep(notification, body: body) {
      case .success(.kept): return answer(.kept, type, bytes: body.count)
      case .success(.replayed): return answer(.replayed, type, bytes: body.count)
      case .success(.refused(let reason)): return answer(.refused, nil, reason, bytes: body.count)
      case .success(.early(let reason)): return answer(.failed, type, reason, bytes: body.count)
      case .failure(let error): return answer(.failed, type, error.description, bytes: body.count)
      }
    }
  }

  /// Counts a notification and returns its answer: 4xx if it is refused, 5xx if Apple should send it again.
  private func answer(
    _ result: ListenerFigures.Result, _ type: NotificationType? = nil, _ reason: String = "", bytes: Int
  ) -> HTTPResponse {
    let now = hooks.clock()
    counts.withLock { $0.take(type, result, bytes: bytes, at: now) }
    switch result {
    case .kept, .replayed: return HTTPResponse(status: .ok)
    case .refused:
      hooks.report(.refused(reason))
      return .text(.badRequest, "The notification was refused: \(reason).\n")
    case .failed:
      hooks.report(.failed(reason))
      return .text(.internalServerError, "The notification could not be stored; send it again.\n")
    }
  }

  private func health() async -> HTTPResponse {
    let store = store
    // Reads on another thread, because reading may wait for the disk and tasks share few threads.
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
    var response = text(.methodNotAllowed, "This page accepts only \(method).\n")
    response.headers.add(name: "Allow", value: method)
    return response
  }
}
