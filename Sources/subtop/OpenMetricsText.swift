import Screen
import Subscriptions

/// Sweep and queue in the OpenMetrics text format, which a node exporter's textfile collector also reads.
///
/// All values are gauges, since they belong to one sweep or instant, and a counter must never decrease.
enum OpenMetricsText {
  static func of(_ summary: SweepSummary, status: StoreStatus, at now: Instant) -> String {
    var text = OpenMetricsWriter()
    write(summary, at: now, to: &text)
    write(status, to: &text)
    return text.ended
  }

  private static func write(_ summary: SweepSummary, at now: Instant, to text: inout OpenMetricsWriter) {
    let counts = summary.counts
    text.gauge(
      "subtop_sweep_end_timestamp_seconds", "When the last sweep ended.", Double(now.rawValue) / 1000)
    text.gauge("subtop_sweep_duration_seconds", "Duration of the last sweep.", summary.seconds)
    text.gauges(
      "subtop_sweep_receipts", "Receipts by outcome.", label: "outcome",
      [
        ("changed", counts.changed), ("unchanged", counts.unchanged), ("retry_later", counts.retryLater),
        ("rejected", counts.rejected), ("given_back", counts.givenBack),
      ])
    text.gauges(
      "subtop_sweep_news", "News in the answers, by kind.", label: "kind",
      [
        ("transaction", counts.news.newTransactions), ("renewal", counts.news.renewals),
        ("refund", counts.news.refunds), ("state_change", counts.news.stateChanges),
      ])
    text.gauges(
      "subtop_sweep_statuses", "Answers by Apple's status.", label: "status",
      counts.byStatus.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) })
    text.gauges(
      "subtop_sweep_http", "Answers by HTTP status.", label: "code",
      counts.http.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) })
    text.gauge("subtop_sweep_transport_errors", "Requests without an answer.", Double(counts.transportErrors))
    text.gauge("subtop_sweep_retried", "Requests that were retried.", Double(counts.retried))
    if let latency = summary.latency {
      text.gauges(
        "subtop_sweep_latency_seconds", "Time to answer.", label: "quantile",
        values: [("0.5", latency.p50 / 1000), ("0.95", latency.p95 / 1000)])
    }
    let isComplete = summary.stopped == nil && counts.retryLater == 0
    text.gauge("subtop_sweep_complete", "1 if no receipt was postponed.", isComplete ? 1 : 0)
    let apps = summary.stoppedApps.map { ($0.bundleID?.rawValue ?? "", 1) }
    text.gauges("subtop_sweep_stopped_app", "Apps whose receipts were not sent.", label: "bundle_id", apps)
  }

  private static func write(_ status: StoreStatus, to text: inout OpenMetricsWriter) {
    text.gauge("subtop_receipts", "Receipts in the store.", Double(status.receipts))
    text.gauge(
      "subtop_lines_overdue", "Unverified: expired and not checked since.", Double(status.overdueLines))
    if let fresh = status.fresh24h {
      text.gauge("subtop_fresh_ratio", "Share of active subscriptions checked in the last 24 hours.", fresh)
    }
    guard let queue = status.queue else { return }
    text.gauge("subtop_queue_due", "Receipts that are due.", Double(queue.due))
    text.gauges(
      "subtop_queue_overdue", "Due receipts by their minimum delay in seconds.", label: "from",
      queue.overdueByAge.map { (String($0.fromMs / 1000), $0.count) })
    text.gauge("subtop_queue_retrying", "Receipts whose last check failed.", Double(queue.retrying))
    text.gauge("subtop_queue_dead", "Receipts that subtop has given up on.", Double(queue.deadCount))
    text.gauge(
      "subtop_queue_next_24h", "Receipts that come due within 24 hours.", Double(queue.next24h.reduce(0, +)))
    text.gauges(
      "subtop_policy_requests_per_day", "Requests per day of the re-check schedule.", label: "rule",
      values: queue.policy.map { ($0.rule.rawValue, $0.requestsPerDay) })
    if let age = queue.freshness {
      text.gauges(
        "subtop_validation_age_seconds", "Time since the last check of subscriptions with access.",
        label: "quantile",
        values: [
          ("0.5", Double(age.p50) / 1000), ("0.95", Double(age.p95) / 1000), ("1", Double(age.max) / 1000),
        ])
    }
  }
}

struct OpenMetricsWriter {
  private var text = ""

  /// Text with the final line, which marks it as complete.
  var ended: String { text + "# EOF\n" }

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    family(name, help, "gauge", [(name, [], value)])
  }

  mutating func gauges(_ name: String, _ help: String, label: String, _ counts: [(String, Int)]) {
    gauges(name, help, label: label, values: counts.map { ($0.0, Double($0.1)) })
  }

  mutating func gauges(_ name: String, _ help: String, label: String, values: [(String, Double)]) {
    family(name, help, "gauge", values.map { (name, [(label, $0.0)], $0.1) })
  }

  mutating func counters(_ name: String, _ help: String, _ values: [(labels: [(String, String)], Int)]) {
    family(name, help, "counter", values.map { ("\(name)_total", $0.labels, Double($0.1)) })
  }

  /// Writes a histogram; the last of `counts` is for values above all bounds.
  mutating func histogram(_ name: String, _ help: String, bounds: [Double], counts: [Int], sum: Double) {
    var below = 0
    let buckets = zip(bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
      below += count
      return (name: "\(name)_bucket", labels: [("le", bound)], value: Double(below))
    }
    family(
      name, help, "histogram", buckets + [("\(name)_count", [], Double(below)), ("\(name)_sum", [], sum)])
  }

  private mutating func family(
    _ name: String, _ help: String, _ type: String,
    _ samples: [(name: String, labels: [(String, String)], value: Double)]
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(sample.name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(sample.value))\n"
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Escapes backslashes, quotes and line breaks; replaces other control characters, which are not allowed.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar.isCommanding ? "?" : scalar)
      }
    }
    return escaped
  }
}
