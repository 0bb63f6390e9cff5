import Subscriptions
import Sweep
import Synchronization

/// A sweep's progress on standard error: one line that moves on a terminal, a line every ten seconds elsewhere.
final class SweepMeter: Sendable {
  private let isTerminal = Standard.isErrorTerminal
  private let lastNoted = Mutex<Int64>(0)

  func watch(_ event: SweepEvent) {
    guard case .progress(let progress) = event else { return }
    let line = text(progress)
    if isTerminal {
      Standard.note("\r\u{1B}[2K" + line)
    } else if isTime(progress.elapsed) {
      Standard.note(line + "\n")
    }
  }

  func end() {
    if isTerminal { Standard.note("\r\u{1B}[2K") }
  }

  private func isTime(_ elapsed: Int64) -> Bool {
    lastNoted.withLock { last in
      guard elapsed >= last + 10 * Milliseconds.second else { return false }
      last = elapsed
      return true
    }
  }

  private func text(_ progress: SweepProgress) -> String {
    let counts = progress.counts
    let share = progress.total > 0 ? " (\(counts.done * 100 / progress.total) %)" : ""
    return "sweep: \(counts.done) of \(progress.total)\(share), \(Int(progress.receiptsPerSecond)) a second, "
      + "\(counts.changed) changed, \(counts.retryLater) for later, \(counts.rejected) rejected"
  }
}
