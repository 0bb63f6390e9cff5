/// Point in time in whole milliseconds since 1970-01-01 00:00:00 UTC, as in Apple's `_ms` fields.
public struct Instant: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }
  public init(milliseconds: Int64) { self.rawValue = milliseconds }

  /// Opening of the App Store on 2008-07-10, before which there are no purchases.
  public static let appStoreOpening = Instant(milliseconds: 1_215_648_000_000)

  public static let distantPast = Instant(milliseconds: .min)
  public static let distantFuture = Instant(milliseconds: .max)

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Adds milliseconds, clamped to the range, because Apple's data may contain any number.
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

  /// Difference in milliseconds, clamped to `-Int64.max...Int64.max` so that `abs` cannot overflow.
  public static func - (left: Self, right: Self) -> Int64 {
    let (difference, overflow) = left.rawValue.subtractingReportingOverflow(right.rawValue)
    guard overflow else { return max(difference, -.max) }
    return left > right ? .max : -.max
  }
}

/// Lengths of time in milliseconds, without months and years, which vary; see `Period`.
public enum Milliseconds {
  public static let second: Int64 = 1000
  public static let minute: Int64 = 60 * second
  public static let hour: Int64 = 60 * minute
  public static let day: Int64 = 24 * hour

  /// Returns a length in a single unit: `9 d`, `5 h`, `12 min`.
  public static func text(_ milliseconds: Int64) -> String {
    let length = milliseconds.magnitude
    if length >= UInt64(2 * day) { return "\(length / UInt64(day)) d" }
    if length >= UInt64(2 * hour) { return "\(length / UInt64(hour)) h" }
    return length >= UInt64(minute) ? "\(length / UInt64(minute)) min" : "\(length / 1000) s"
  }

  public static func ago(_ age: Int64) -> String { age >= 0 ? "\(text(age)) ago" : "in \(text(age))" }
}

/// Returns `numerator / denominator` rounded down, for a positive denominator.
public func flooredQuotient(_ numerator: Int64, over denominator: Int64) -> Int64 {
  let quotient = numerator / denominator
  return numerator % denominator < 0 ? quotient - 1 : quotient
}
