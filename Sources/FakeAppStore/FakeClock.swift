import Glibc
import Subscriptions
import Synchronization

/// Clock of the fake App Store, which is fixed or runs at a multiple of real time.
public final class FakeClock: Sendable {
  /// Multiple of real time: 0 for a fixed clock, 86,400 for a day each second.
  public let speed: Double
  private let start: Mutex<Instant>
  private let began = FakeClock.milliseconds(of: CLOCK_MONOTONIC)

  public init(startingAt start: Instant, speed: Double = 1) {
    self.speed = max(0, speed)
    self.start = Mutex(start)
  }

  public convenience init(fixedAt instant: Instant) { self.init(startingAt: instant, speed: 0) }

  public var now: Instant {
    let elapsed = Double(Self.milliseconds(of: CLOCK_MONOTONIC) - began) * speed
    return start.withLock { $0 + Int64(min(elapsed, 0x1p62)) }
  }

  public func advance(by milliseconds: Int64) { start.withLock { $0 = $0 + milliseconds } }

  public static var realNow: Instant { Instant(milliseconds: milliseconds(of: CLOCK_REALTIME)) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
