import Dispatch
import Glibc
import Subscriptions
import Sweep
import Synchronization
import Testing

extension DispatchSemaphore {
  /// Waits for a signal, with a limit that only ends hanging tests.
  func isSignalled() -> Bool { wait(timeout: .now() + 300) == .success }
}

final class SweepEnd: Sendable {
  private let summary = Mutex<SweepSummary?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  func take(_ event: SweepEvent) {
    guard case .finished(let summary) = event else { return }
    self.summary.withLock { $0 = summary }
    ended.signal()
  }

  func wait() throws -> SweepSummary {
    try #require(ended.isSignalled())
    return try #require(summary.withLock { $0 })
  }
}

/// Waits until a condition holds, with a limit that only ends hanging tests.
func wait(until holds: () throws -> Bool) throws {
  let limit = ContinuousClock.now + .seconds(300)
  while try !holds() {
    try #require(ContinuousClock.now < limit)
    usleep(5000)
  }
}
