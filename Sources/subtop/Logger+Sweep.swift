import Logging
import Subscriptions

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
