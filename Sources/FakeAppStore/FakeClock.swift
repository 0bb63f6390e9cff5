import Glibc
import Subscriptions
import Synchronization

/// Clock of the fake App Store. It is fixed or runs at a multiple of real time, and can be set.
public final class FakeClock: Sendable {
  private struct Reading {
    var shown: Instant
    /// Monotonic milliseconds at which the clock showed `shown`.
    var taken: Int64
  }

  /// Multiple of real time: 0 for a fixed clock, 86,400 for a day each second.
  public let speed: Double
  private let reading: Mutex<Reading>

  public init(startingAt start: Instant, speed: Double = 1) {
    self.speed = max(0, speed)
    reading = Mutex(Reading(shown: start, taken: Self.monotonic()))
  }

  /// Creates a clock that only `set(to:)` and `advance(by:)` move.
  public convenience init(fixedAt instant: Instant) { self.init(startingAt: instant, speed: 0) }

  public var now: Instant { reading.withLock { self.now($0) } }

  public func set(to instant: Instant) {
    reading.withLock { $0 = Reading(shown: instant, taken: Self.monotonic()) }
  }

  public func advance(by milliseconds: Int64) {
    reading.withLock { $0.shown = $0.shown + milliseconds }
  }

  /// Time of the machine's clock.
  public static var realNow: Instant { Instant(milliseconds: milliseconds(of: CLOCK_REALTIME)) }

  private func now(_ reading: Reading) -> Instant {
    guard speed > 0 else { return reading.shown }
    let elapsed = Double(Self.monotonic() - reading.taken) * speed
    return reading.shown + Int64(min(elapsed, 0x1p62))
  }

  private static func monotonic() -> Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
