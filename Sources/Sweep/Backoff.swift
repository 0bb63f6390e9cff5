import Subscriptions

/// Wait after failures: exponential with full jitter, so that failed receipts are not all due together.
public struct Backoff: Hashable, Sendable {
  /// Upper bound of the first wait, in milliseconds.
  public var base: Int64
  /// Longest wait, in milliseconds. It also caps a wait that the server requests.
  public var longest: Int64

  public static let standard = Backoff()
  /// Backoff between the attempts of one sweep, which a user may be waiting for.
  public static let withinSweep = Backoff(base: 2 * Milliseconds.second, longest: 30 * Milliseconds.second)

  /// Backoff after an answer that exceeds the size limit. A long history does not shrink, but an answer that
  /// was inflated once is asked for again soon.
  static let tooLong = Backoff(base: 6 * Milliseconds.hour, longest: 7 * Milliseconds.day)

  public init(base: Int64 = Milliseconds.minute, longest: Int64 = 6 * Milliseconds.hour) {
    self.base = base
    self.longest = longest
  }

  /// Returns the milliseconds to wait.
  ///
  /// - Parameters:
  ///   - failures: consecutive failures, including this one.
  ///   - chance: position of the wait in its range, 0 to below 1.
  ///   - retryAfter: seconds requested by the server, used as a minimum.
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
