/// A point in time: whole milliseconds since 1970-01-01 00:00:00 UTC, as in Apple's `_ms` fields.
public struct Instant: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since 1970-01-01 00:00:00 UTC.
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }
  public init(milliseconds: Int64) { self.rawValue = milliseconds }

  /// 2008-07-10: nothing was bought in the App Store before.
  public static let appStoreOpening = Instant(milliseconds: 1_215_648_000_000)

  public static let distantPast = Instant(milliseconds: .min)
  public static let distantFuture = Instant(milliseconds: .max)

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Moves by milliseconds, stopping at the ends of time: what Apple sends is not trusted to be sensible.
  public static func + (instant: Self, milliseconds: Int64) -> Self {
    let (sum, overflow) = instant.rawValue.addingReportingOverflow(milliseconds)
    guard overflow else { return Self(milliseconds: sum) }
    return milliseconds > 0 ? .distantFuture : .distantPast
  }

  public static func - (instant: Self, milliseconds: Int64) -> Self {
    let (difference, overflow) = instant.rawValue.subtractingReportingOverflow(milliseconds)
    guard overflow else { return Self(milliseconds: difference) }
    return milliseconds > 0 ? .distantPast : .distantFuture
  }

  /// Milliseconds from `right` to `left`, stopping at `Int64.max` and at its negative, so that every difference has a magnitude.
  public static func - (left: Self, right: Self) -> Int64 {
    let (difference, overflow) = left.rawValue.subtractingReportingOverflow(right.rawValue)
    guard overflow else { return max(difference, -.max) }
    return left > right ? .max : -.max
  }
}

/// Lengths of time in milliseconds. Calendar months and years are not lengths of time: see `Period`.
public enum Milliseconds {
  public static let second: Int64 = 1000
  public static let minute: Int64 = 60 * second
  public static let hour: Int64 = 60 * minute
  public static let day: Int64 = 24 * hour

  /// Length in one unit, so that it does not jitter: `9 d`, `5 h`, `12 min`.
  public static func text(_ milliseconds: Int64) -> String {
    let length = milliseconds.magnitude
    if length >= UInt64(2 * day) { return "\(length / UInt64(day)) d" }
    if length >= UInt64(2 * hour) { return "\(length / UInt64(hour)) h" }
    return length >= UInt64(minute) ? "\(length / UInt64(minute)) min" : "\(length / 1000) s"
  }

  /// `9 d ago`, or `in 9 d` if the age is negative.
  public static func ago(_ age: Int64) -> String { age >= 0 ? "\(text(age)) ago" : "in \(text(age))" }
}

/// `numerator / denominator`, rounded towards the past: which hour or day an instant is in, before 1970 as well.
///
/// - Precondition: the denominator is positive.
public func flooredQuotient(_ numerator: Int64, over denominator: Int64) -> Int64 {
  let quotient = numerator / denominator
  return numerator % denominator < 0 ? quotient - 1 : quotient
}
