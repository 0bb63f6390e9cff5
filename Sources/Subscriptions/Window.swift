/// A stretch of days up to the as-of instant: `(from, to]`.
public struct Window: Hashable, Sendable, Encodable {
  public var days: Int
  public var from: Instant
  public var to: Instant

  public init(days: Int, upTo t: Instant) {
    self.days = days
    from = t - Int64(days) * Milliseconds.day
    to = t
  }

  /// A part of a longer window.
  ///
  /// - Parameter to: no earlier than `from`.
  init(from: Instant, to: Instant) {
    days = Self.days(since: from + 1, upTo: to)
    (self.from, self.to) = (from, to)
  }

  public func contains(_ instant: Instant) -> Bool { instant > from && instant <= to }

  /// Whole days, at least one, of a window up to an instant that holds everything since a first purchase, it included.
  public static func days(since first: Instant, upTo t: Instant) -> Int {
    max(1, Int(clamping: (t - first) / Milliseconds.day + 1))
  }

  enum CodingKeys: String, CodingKey {
    case days
    case from = "from_ms"
    case to = "to_ms"
  }
}
