/// Days up to the as-of instant: `(from, to]`.
public struct Window: Hashable, Sendable, Encodable {
  public var days: Int
  public var from: Instant
  public var to: Instant

  public init(days: Int, upTo t: Instant) {
    self.days = days
    from = t - Int64(days) * Milliseconds.day
    to = t
  }

  init(from: Instant, to: Instant) {
    days = Self.days(since: from + 1, upTo: to)
    (self.from, self.to) = (from, to)
  }

  public func contains(_ instant: Instant) -> Bool { instant > from && instant <= to }

  /// Days of a window that contains everything since a first purchase, at least 1.
  public static func days(since first: Instant, upTo t: Instant) -> Int {
    max(1, Int(clamping: (t - first) / Milliseconds.day + 1))
  }

  enum CodingKeys: String, CodingKey {
    case days
    case from = "from_ms"
    case to = "to_ms"
  }
}

extension Window {
  /// Length of a trend's stretches: the shortest of these with at most 31 stretches.
  private var stretch: Int64 {
    let hours = [1, 2, 3, 6, 12].map { $0 * Milliseconds.hour }
    let days = [1, 2, 3, 7, 14, 28].map { $0 * Milliseconds.day }
    let least = (to - from - 1) / 30
    var stretch = (hours + days).first { $0 > least } ?? 56 * Milliseconds.day
    while stretch <= least { stretch *= 2 }
    return stretch
  }

  /// Last instant of each stretch of a trend. Stretches begin at multiples of their length since 1970 (whole
  /// hours or midnight UTC). The first and the last are cut to the window.
  public var stretchEnds: [Instant] {
    let length = stretch
    var ends: [Instant] = []
    var next = Instant(milliseconds: (firstStretch + 1) &* length) - 1
    while next < to {
      ends.append(next)
      next = next + length
    }
    return ends + [to]
  }

  var wholeStretches: Range<Int> {
    let count = stretchEnds.count
    let first = firstStretch * stretch == (from + 1).rawValue ? 0 : 1
    let last = (to + 1).rawValue % stretch == 0 ? count : count - 1
    return min(first, last)..<last
  }

  public func stretch(of instant: Instant) -> Int {
    Int(flooredQuotient(instant.rawValue, over: stretch) - firstStretch)
  }

  /// End of the last hour before the window, for the first value of a trend.
  public var trendStart: Instant {
    Instant(milliseconds: flooredQuotient(from.rawValue, over: Milliseconds.hour) * Milliseconds.hour) - 1
  }

  private var firstStretch: Int64 { flooredQuotient((from + 1).rawValue, over: stretch) }
}
