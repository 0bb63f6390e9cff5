import Subscriptions
import Synchronization

/// Passes progress on to the watcher, at most ten times a second except for posts with `isLast`.
final class SweepMail: Sendable {
  let watcher: @Sendable (SweepEvent) -> Void
  /// Start time of the program's clock, which is faster than real time in some demonstrations.
  let started: Instant
  /// Real time, for rates.
  private let stopwatch: Stopwatch
  private let state = Mutex(State())

  private struct State {
    var total = 0
    var nextPost: Int64 = 0
    var isClosed = false
  }

  init(watcher: @escaping @Sendable (SweepEvent) -> Void, started: Instant, stopwatch: Stopwatch) {
    self.watcher = watcher
    self.started = started
    self.stopwatch = stopwatch
  }

  /// Milliseconds since the sweep was created.
  var elapsed: Int64 { stopwatch.elapsed }

  func expect(_ total: Int) { state.withLock { $0.total = total } }

  func expect(more count: Int) { state.withLock { $0.total += count } }

  /// Suppresses further progress, so that the end is the last event.
  func close() { state.withLock { $0.isClosed = true } }

  /// - Parameters:
  ///   - isLast: posts even if there has just been a post.
  ///   - progress: returns the progress, given the milliseconds since the start and the expected receipts.
  func post(isLast: Bool, _ progress: (Int64, Int) -> SweepProgress) {
    let elapsed = self.elapsed
    let total: Int? = state.withLock { state in
      guard !state.isClosed, isLast || elapsed >= state.nextPost else { return nil }
      state.nextPost = elapsed + 100
      return state.total
    }
    guard let total else { return }
    watcher(.progress(progress(elapsed, total)))
  }
}
