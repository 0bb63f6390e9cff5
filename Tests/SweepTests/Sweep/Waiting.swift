import Dispatch
import Glibc
import Testing

extension DispatchSemaphore {
  /// Waits for a signal. The limit only ends hanging tests.
  func isSignalled() -> Bool { wait(timeout: .now() + 300) == .success }
}

/// Waits until a condition holds. The limit only ends hanging tests.
func wait(until holds: () throws -> Bool) throws {
  let limit = ContinuousClock.now + .seconds(300)
  while try !holds() {
    try #require(ContinuousClock.now < limit)
    usleep(5000)
  }
}
