import Dispatch
import Glibc
import Subscriptions
import Synchronization

/// Real time and monotonic time of the machine, in milliseconds.
enum SystemClock {
  static var now: Instant { Instant(milliseconds: milliseconds(of: CLOCK_REALTIME)) }

  static var uptime: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Timer that repeats an action until the timer is ended or deallocated.
final class Ticker: Sendable {
  private let timer: Mutex<any DispatchSourceTimer>

  /// Starts a timer whose first call is after `delay` seconds.
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
