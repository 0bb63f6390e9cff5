import Dashboard
import Logging
import Subscriptions
import Sweep
import Synchronization

/// Progress of a sweep.
final class SweepMeter: Sendable {
  private let line = ProgressLine()
  private let pace = Mutex(RecentRate())

  func watch(_ event: SweepEvent) {
    guard case .progress(let progress) = event else { return }
    let rate = pace.withLock { $0.take(progress.counts.done, at: progress.elapsed) }
    let share = progress.total > 0 ? Double(progress.counts.done) / Double(progress.total) : 0
    line.show(words(progress, rate: rate), share: share, of: "sweep")
  }

  func end() { line.clear() }

  private func words(_ progress: SweepProgress, rate: Double) -> String {
    let counts = progress.counts
    let share = progress.total > 0 ? " (\(counts.done * 100 / progress.total) %)" : ""
    var parts = ["\(CountText.of(counts.done)) of \(CountText.of(progress.total))\(share)"]
    switch progress.activity {
    case .running: parts.append("\(Int(rate.rounded())) a second")
    case .paused: parts.append("paused")
    case .waiting(let until, let reason):
      parts.append("waiting \(max(0, until - progress.elapsed) / 1000 + 1) s: \(printable(reason))")
    case .stopping: parts.append("stopping")
    }
    if case .running = progress.activity, rate > 0, progress.left > 0 {
      parts.append("\(AgeText.of(Int64(Double(progress.left) / rate * 1000))) left")
    }
    parts.append("\(CountText.of(counts.changed)) changed")
    if counts.retryLater > 0 { parts.append("\(CountText.of(counts.retryLater)) for later") }
    if counts.rejected > 0 { parts.append("\(CountText.of(counts.rejected)) rejected") }
    if let latency = progress.latency { parts.append("95th percentile \(Int(latency.p95.rounded())) ms") }
    return parts.joined(separator: ", ")
  }
}

extension Logger {
  static let subtop = Logger(label: "subtop")

  func record(_ summary: SweepSummary) {
    let counts = summary.counts
    if counts.leftOutChains > 0 {
      log(
        level: .warning, "chains were left out of answers: nothing shows that they are the receipt's",
        metadata: [
          "chains": "\(counts.leftOutChains)",
          "receipts": "\(summary.leftOutOf.map { String($0.rawValue) }.joined(separator: " "))",
        ])
    }
    log(
      level: summary.stopped == nil ? .info : .warning, "sweep ended",
      metadata: [
        "picked": "\(counts.picked)", "validated": "\(counts.validated)", "changed": "\(counts.changed)",
        "new_transactions": "\(counts.newTransactions)", "retry_later": "\(counts.retryLater)",
        "rejected": "\(counts.rejected)", "transport_errors": "\(counts.transportErrors)",
        "milliseconds": "\(summary.elapsed)", "stopped": "\(summary.stopped?.rawValue ?? "no")",
      ])
  }
}
