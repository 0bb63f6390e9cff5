import Dashboard
import Screen
import Subscriptions
import Testing

/// Bundle ids come from receipts, reasons from an App Store or from what pretends to be one, numbers from clocks that
/// were set.
@Suite("Hostile sweeps") struct SweepHostileTests {
  private func queue(_ text: String) -> QueueReport {
    var queue = Sample.queue
    queue.failures = [
      QueueReport.DeadReason(reason: text, count: 3, exampleReceipt: Sample.receipt(3))
    ]
    queue.dead = [
      QueueReport.DeadReason(reason: text, count: 1, exampleReceipt: Sample.receipt(1)),
      QueueReport.DeadReason(reason: text, count: 2, exampleReceipt: Sample.receipt(2)),
    ]
    queue.detectionLag[0].type = text
    queue.sweeps = [
      Sample.record(3, by: text, text, ago: 0, state: .running),
      Sample.record(2, by: text, text, ago: 2, stopped: text),
      Sample.record(1, by: "", "due", ago: 3, failure: text),
      Sample.record(4, by: "", "due", ago: 4, stopped: "no_secret"),
      Sample.record(5, by: "", "due", ago: 5, stopped: "unreachable"),
    ]
    queue.sweeps[3].stoppedApps = [StoppedApp(bundleID: BundleID(text), reason: .noSecret)]
    queue.sweeps[4].lastTransportError = text
    return queue
  }

  @Test("are drawn and printed harmlessly", arguments: HostileTests.texts)
  func harmless(_ text: String) {
    let app = StoppedApp(bundleID: BundleID(text), reason: .noSecret)
    for size in [Size.small, .whole] {
      var bench = Bench(size.columns, size.rows)
      bench.queue = queue(text)
      bench.send(.opened)
      bench.press("W")
      #expect(bench.screen.isHarmless)
      bench.press("s")
      for activity in [SweepProgress.Activity.running, .waiting(until: .max, reason: text)] {
        bench.send(.sweepProgress(Sample.progress(activity, stoppedApps: [app, app])))
        bench.press("j", "G")
        #expect(bench.screen.isHarmless)
      }
      bench.send(.sweepFinished(Sample.wholeSummary(.noSecret, stoppedApps: [app])))
      #expect(bench.screen.isHarmless)
      bench.press("s")
      bench.send(.sweepFailed(text))
      #expect(bench.screen.isHarmless)
    }
    #expect(QueueTests.printed { $0 = queue(text) }.isHarmless)
    #expect(Dashboard.text(of: queue(text).sweeps, at: Sample.now).isHarmless)
    #expect(Dashboard.text(of: Sample.wholeSummary(.noSecret, stoppedApps: [app])).isHarmless)
  }

  /// Numbers that no sound store has.
  static let queues: [QueueReport] = {
    let empty = QueueReport(asOfMs: Sample.now)
    var odd = Sample.queue
    odd.asOfMs = .distantPast
    odd.next24h = [5]
    odd.nextRetryAtMs = .distantFuture
    odd.freshness = QueueReport.AgeQuantiles(p50: -1, p95: .max, max: .min, within24h: .infinity)
    odd.policy = [
      DuePolicy.Cost(rule: .trial, lines: -3, requestsPerDay: .infinity),
      DuePolicy.Cost(rule: .grace, lines: 0, requestsPerDay: .nan),
    ]
    odd.statuses = [
      StatusTally(status: .min, count: 0, lastSeenAtMs: .distantFuture, exampleReceipt: Sample.receipt(.min))
    ]
    odd.sweeps[0].startedAtMs = .distantFuture
    odd.sweeps[0].latencyMs = LatencyQuantiles(p50: .nan, p95: .infinity)
    var many = Sample.queue
    many.next24h = [Int](repeating: 1, count: 500)
    many.overdueByAge = []
    return [empty, odd, many]
  }()

  @Test("are drawn whatever their numbers are, at any size", arguments: queues)
  func numbers(_ queue: QueueReport) {
    var progress = Sample.progress(.running)
    progress.total = 0
    progress.rateLimit = .infinity
    progress.latency = LatencyQuantiles(p50: .infinity, p95: -1)
    progress.elapsed = .max
    for (columns, rows) in [(0, 0), (3, 90), (40, 10), (41, 16), (300, 23)] {
      var bench = Bench()
      bench.queue = queue
      bench.send(.opened)
      bench.press("W", "s")
      bench.send(.sweepProgress(progress))
      bench.send(.input(.resize(Size(columns: columns, rows: rows))))
      bench.press("j", "pgdn", "G", "enter", "esc", "g", "k")
      #expect(bench.canvas.size == Size(columns: columns, rows: rows))
    }
    #expect(QueueTests.printed { $0 = queue }.contains("Queues"))
    #expect(Dashboard.text(of: queue.sweeps, at: .distantPast).contains("Sweeps"))
  }
}
