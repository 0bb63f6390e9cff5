import Dashboard
import Listening
import Subscriptions

/// Figures of a listener, as text and as OpenMetrics 1.0.
enum ListenerText {
  static func openMetrics(_ figures: ListenerFigures) -> String {
    var metrics = OpenMetricsWriter()
    metrics.counters(
      "subtop_listen_notifications", "Notifications by type and by what became of them.",
      figures.notifications.map { kind, count in
        (labels: [("type", kind.type?.rawValue ?? ""), ("result", kind.result.rawValue)], count)
      }.sorted { ($0.labels[0].1, $0.labels[1].1) < ($1.labels[0].1, $1.labels[1].1) })
    metrics.counters("subtop_listen_bytes", "Bytes of their bodies.", [([], figures.bytes)])
    metrics.histogram(
      "subtop_listen_commit_seconds", "How long commits took.", bounds: ListenerFigures.Histogram.bounds,
      counts: figures.commits.counts, sum: figures.commits.sum)
    metrics.gauge("subtop_listen_backlog", "Notifications that wait to be kept.", Double(figures.backlog))
    metrics.gauge(
      "subtop_listen_inbox", "Notifications that are kept, and of which the figures do not know yet.",
      Double(figures.inbox))
    if let last = figures.lastReceived {
      metrics.gauge(
        "subtop_listen_last_received_timestamp_seconds", "When the last one came, in seconds since 1970.",
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
      (.kept, "kept"), (.replayed, "known before"), (.refused, "refused"), (.failed, "failed"),
    ]
    let parts = counts.compactMap { result, name -> String? in
      let count = figures.count(result)
      return count > 0 || result == .kept ? "\(CountText.of(count)) \(name)" : nil
    }
    let inbox = figures.inbox > 0 ? ["\(CountText.of(figures.inbox)) to be taken"] : []
    return (parts + inbox).joined(separator: ", ")
  }
}
