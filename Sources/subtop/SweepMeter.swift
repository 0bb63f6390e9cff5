import Dashboard
import Logging
import Subscriptions
import Sweep
import Synchronization

final class SweepMeter: Sendable {
  private let line = ProgressLine()
  private let pace = Mutex(RecentRate())

  func watch(_ event: SweepEvent) {
    guard case .progress(let progress) = event else { return }
    let share = progress.total > 0 ? Double(progress.counts.done) / Double(progress.total) : 0
    let pace = pace.withLock {
      $0.words(progress.counts.done, of: progress.total, at: progress.elapsed) { CountText.of($0) }
    }
    line.show(Self.words(progress, pace), share: share, of: "sweep")
  }

  func end() { line.clear() }

  private static func words(_ progress: SweepProgress, _ pace: [String]) -> String {
    let counts = progress.counts
    var parts = Array(pace.prefix(1))
    switch progress.activity {
    case .running: parts = pace
    case .paused: parts.append("paused")
    case .waiting(let until, let reason):
      parts.append("waiting \(max(0, until - progress.elapsed) / 1000 + 1) s: \(printable(reason))")
    case .stopping: parts.append("stopping")
    }
    parts.append("\(CountText.of(counts.changed)) changed")
    if counts.retryLater > 0 { parts.append("\(CountText.of(counts.retryLater)) postponed") }
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
        level: .warning, "chains in answers were ignored: nothing proves that they belong to the receipt",
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
