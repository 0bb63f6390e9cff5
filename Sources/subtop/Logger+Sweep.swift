import Logging
import Subscriptions

extension Logger {
  /// The program's own log.
  static let subtop = Logger(label: "subtop")

  /// What a sweep came to.
  func record(_ summary: SweepSummary) {
    let counts = summary.counts
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
