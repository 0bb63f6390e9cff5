import Dashboard
import Screen
import Subscriptions
import Testing

/// Bundle ids come from receipts, reasons from a possibly fake App Store, and times from wrong clocks.
@Suite("Hostile sweeps") struct SweepHostileTests {
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

  @Test("are drawn with any numbers, at any size", arguments: queues)
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
