import Subscriptions

/// How long a receipt waits after failures: exponential with full jitter, so that receipts that failed together
/// do not all come back together.
public struct Backoff: Hashable, Sendable {
  /// Milliseconds that the first wait is shorter than.
  public var base: Int64
  /// Milliseconds that no wait exceeds, whatever a server asks for.
  public var longest: Int64

  /// Between sweeps.
  public static let standard = Backoff()
  /// Between the tries of one sweep, which somebody waits for.
  public static let withinSweep = Backoff(base: 2 * Milliseconds.second, longest: 30 * Milliseconds.second)

  /// Of a receipt whose answer is too long: it does not grow shorter, but one that was blown up once comes back soon.
  static let tooLong = Backoff(base: 6 * Milliseconds.hour, longest: 7 * Milliseconds.day)

  public init(base: Int64 = Milliseconds.minute, longest: Int64 = 6 * Milliseconds.hour) {
    self.base = base
    self.longest = longest
  }

  /// Milliseconds to wait.
  ///
  /// - Parameters:
  ///   - failures: how many in succession, this one included.
  ///   - chance: where in the range the wait falls, 0 to below 1.
  ///   - retryAfter: seconds that the server asked for, which are waited at least.
  public func wait(failures: Int, chance: Double, retryAfter: Int? = nil) -> Int64 {
    var ceiling = min(base, longest)
    var doublings = max(failures, 1) - 1
    while doublings > 0, ceiling < longest {
      ceiling = ceiling > longest / 2 ? longest : ceiling * 2
      doublings -= 1
    }
    let jittered = Int64(Double(ceiling) * min(max(chance, 0), 1))
    let asked = min(Int64(retryAfter ?? 0), longest / Milliseconds.second) * Milliseconds.second
    return max(jittered, asked)
  }
}
