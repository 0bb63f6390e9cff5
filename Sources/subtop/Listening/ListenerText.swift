import AppStore
import Dashboard
import Listening
import Logging
import ReceiptStore
import Subscriptions
import Synchronization

/// Figures of a listener, as text and as OpenMetrics 1.0.
enum ListenerText {
  static func openMetrics(_ figures: ListenerFigures) -> String {
    var metrics = OpenMetricsWriter()
    metrics.counters(
      "subtop_listen_notifications", "Notifications by type and result.",
      figures.notifications.map { kind, count in
        (labels: [("type", kind.type?.rawValue ?? ""), ("result", kind.result.rawValue)], count)
      }.sorted { ($0.labels[0].1, $0.labels[1].1) < ($1.labels[0].1, $1.labels[1].1) })
    metrics.counters("subtop_listen_bytes", "Bytes of notification bodies.", [([], figures.bytes)])
    metrics.histogram(
      "subtop_listen_commit_seconds", "Duration of commits.", bounds: ListenerFigures.Histogram.bounds,
      counts: figures.commits.counts, sum: figures.commits.sum)
    metrics.gauge("subtop_listen_backlog", "Notifications waiting to be stored.", Double(figures.backlog))
    metrics.gauge(
      "subtop_listen_inbox", "Stored notifications that figures do not include yet.",
      Double(figures.inbox))
    if let last = figures.lastReceived {
      metrics.gauge(
        "subtop_listen_last_received_timestamp_seconds", "Time of the last one, in seconds since 1970.",
        Double(last.rawValue) / 1000)
    }
    return metrics.ended
  }

  static func url(_ options: ListenerOptions, port: Int) -> String {
    // IPv6 addresses are in brackets (RFC 3986 §3.2.2).
    let host = options.address.contains(":") ? "[\(options.address)]" : options.address
    return "http://\(host):\(port)"
  }

  static func progress(_ figures: ListenerFigures) -> String {
    let counts: [(ListenerFigures.Result, String)] = [
      (.kept, "stored"), (.replayed, "already known"), (.refused, "rejected"), (.failed, "failed"),
    ]
    let parts = counts.compactMap { result, name -> String? in
      let count = figures.count(result)
      return count > 0 || result == .kept ? "\(CountText.of(count)) \(name)" : nil
    }
    let inbox = figures.inbox > 0 ? ["\(CountText.of(figures.inbox)) to be processed"] : []
    return (parts + inbox).joined(separator: ", ")
  }
}

extension NotificationListener {
  convenience init(
    _ store: ReceiptStore, _ options: ListenerOptions, _ troubles: ListenerTroubles,
    clock: @escaping @Sendable () -> Instant = { SystemClock.now },
    admit: @escaping @Sendable (NotificationBody) -> Admission
  ) {
    self.init(
      store, options: options,
      hooks: ListenerHooks(
        clock: clock, admit: admit, metrics: ListenerText.openMetrics, report: troubles.report))
  }
}

extension NotificationChecks {
  @Sendable func admission(_ body: NotificationBody) -> Admission {
    do throws(Failure) {
      switch try judgeReceived(body) {
      case .taken(let notification): return .taken(notification)
      case .refused(let reason), .untrusted(let reason): return .refused(reason)
      }
    } catch {
      return .unknown(error.message)
    }
  }
}

/// Logs problems with notifications, each at most once a minute, and shows them on the terminal.
///
/// Refusals are not shown, and count as one problem, because anyone can cause them.
final class ListenerTroubles: Sendable {
  typealias Complain = @Sendable (String) -> Void

  private let state = Mutex((reported: [String: Instant](), complain: Complain?.none))

  func pass(to complain: @escaping Complain) { state.withLock { $0.complain = complain } }

  func report(_ trouble: ListenerTrouble) {
    switch trouble {
    case .refused(let reason):
      if isNews("refused") { Logger.subtop.warning("refused a notification: \(reason)") }
    case .failed(let reason):
      complain(of: reason, "could not store a notification", ", which Apple will send again")
    case .postponed(let reason):
      complain(of: reason, "could not process stored notifications", "; they are kept and retried")
    case .crowded(let most):
      complain(of: "\(most) connections are open, the maximum", "new connections wait", "")
    }
  }

  private func isNews(_ trouble: String) -> Bool {
    let now = SystemClock.now
    return state.withLock { state in
      state.reported = state.reported.filter { now - $0.value < Milliseconds.minute }
      guard state.reported[trouble] == nil else { return false }
      state.reported[trouble] = now
      return true
    }
  }

  private func complain(of reason: String, _ what: String, _ consequence: String) {
    guard isNews("\(what): \(reason)") else { return }
    Logger.subtop.error("\(what): \(reason)")
    state.withLock(\.complain)?("\(what)\(consequence): \(reason)")
  }
}
