import Subscriptions
import Synchronization

/// Passes progress on, at most ten times a second.
final class SweepMail: Sendable {
  let watcher: @Sendable (SweepEvent) -> Void
  /// By the program's clock, which a demonstration may drive faster than time goes.
  let started: Instant
  /// Rates are of real seconds.
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

  /// Milliseconds since the sweep began.
  var elapsed: Int64 { stopwatch.elapsed }

  func expect(_ total: Int) { state.withLock { $0.total = total } }

  func expect(more count: Int) { state.withLock { $0.total += count } }

  /// Nothing is posted any more: the end is the last that the watcher hears.
  func close() { state.withLock { $0.isClosed = true } }

  /// - Parameters:
  ///   - isLast: posts whatever was posted just now.
  ///   - progress: gives what is posted, by the milliseconds since the start and the receipts expected.
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
