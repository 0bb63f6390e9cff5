import Dispatch
import Synchronization

/// Timer that repeats an action until it is ended or deallocated.
final class Ticker: Sendable {
  private let timer: Mutex<any DispatchSourceTimer>

  /// - Parameter delay: Seconds before the first time.
  init(
    every interval: DispatchTimeInterval = .seconds(1), after delay: Int = 0,
    leeway: DispatchTimeInterval = .milliseconds(200), on queue: DispatchQueue = .global(qos: .utility),
    _ body: @escaping @Sendable () -> Void
  ) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .seconds(delay), repeating: interval, leeway: leeway)
    timer.setEventHandler { @Sendable in body() }
    timer.activate()
    self.timer = Mutex(timer)
  }

  deinit { end() }

  func end() { timer.withLock { $0.cancel() } }
}
