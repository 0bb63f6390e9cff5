import Glibc
import Subscriptions

/// Clocks of the machine. Only the executable reads them.
enum SystemClock {
  static var now: Instant { Instant(milliseconds: milliseconds(of: CLOCK_REALTIME)) }

  /// Milliseconds of the monotonic clock.
  static var uptime: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
