import Subscriptions

/// Returns midnight UTC `days` after Thursday, 2026-01-01, plus `hours`; both may be negative.
public func day(_ days: Int, hours: Int64 = 0) -> Instant {
  Instant(milliseconds: 1_767_225_600_000 + Int64(days) * Milliseconds.day + hours * Milliseconds.hour)
}

/// Durations in milliseconds.
extension BinaryInteger {
  public var hours: Int64 { Int64(self) * Milliseconds.hour }
  public var days: Int64 { Int64(self) * Milliseconds.day }
}
