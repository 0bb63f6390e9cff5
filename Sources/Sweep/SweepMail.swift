import Subscriptions
import Synchronization

/// Passes progress on, at most ten times a second.
final class SweepMail: Sendable {
  let watcher: @Sendable (SweepEvent) -> Void
  /// By the program's clock, which a demonstration may drive faster than time goes.
  let started: Instant
  /// A stopwatch rather than a clock: rates are of real seconds.
  private let stopwatch = ContinuousClock.now
  private let state = Mutex(State())

  private struct State {
    var total = 0
    var nextPost: Int64 = 0
  }

  init(watcher: @escaping @Sendable (SweepEvent) -> Void, started: Instant) {
    self.watcher = watcher
    self.started = started
  }

  /// Milliseconds since the sweep began.
  var elapsed: Int64 { Int64((ContinuousClock.now - stopwatch) / .milliseconds(1)) }

  func expect(_ total: Int) { state.withLock { $0.total = total } }

  func post(_ counts: SweepCounts, inFlight: Int, isLast: Bool) {
    let elapsed = self.elapsed
    let total: Int? = state.withLock { state in
      guard isLast || elapsed >= state.nextPost else { return nil }
      state.nextPost = elapsed + 100
      return state.total
    }
    guard let total else { return }
    watcher(
      .progress(
        SweepProgress(started: started, elapsed: elapsed, total: total, inFlight: inFlight, counts: counts)))
  }
}
