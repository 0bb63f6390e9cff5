import Dispatch
import Glibc
import Testing

extension DispatchSemaphore {
  /// Waits for a signal. The limit only ends a test that would wait for ever.
  func isSignalled() -> Bool { wait(timeout: .now() + 300) == .success }
}

/// Waits until a condition holds. The limit only ends a test that would wait for ever.
func wait(until holds: () throws -> Bool) throws {
  let limit = ContinuousClock.now + .seconds(300)
  while try !holds() {
    try #require(ContinuousClock.now < limit)
    usleep(5000)
  }
}
