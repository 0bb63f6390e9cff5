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

extension Window {
  /// How long a stretch of a trend is: the shortest of these lengths that makes no more than 31 of them.
  private var stretch: Int64 {
    let hours = [1, 2, 3, 6, 12].map { $0 * Milliseconds.hour }
    let days = [1, 2, 3, 7, 14, 28].map { $0 * Milliseconds.day }
    let least = (to - from - 1) / 30
    var stretch = (hours + days).first { $0 > least } ?? 56 * Milliseconds.day
    while stretch <= least { stretch *= 2 }
    return stretch
  }

  /// The last instant of each stretch of a trend. They are cut at whole multiples of their length since 1970, so at whole hours
  /// or at midnight UTC; the first begins and the last ends with the window.
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

  /// Those that are of the full length: the window seldom begins and ends with one.
  var wholeStretches: Range<Int> {
    let count = stretchEnds.count
    let first = firstStretch * stretch == (from + 1).rawValue ? 0 : 1
    let last = (to + 1).rawValue % stretch == 0 ? count : count - 1
    return min(first, last)..<last
  }

  /// The stretch that holds an instant of the window.
  public func stretch(of instant: Instant) -> Int { stretches.place(of: instant) }

  public var stretches: Stretches { Stretches(length: stretch, first: firstStretch) }

  /// What a trend tells as the state at the window's start: the one at the end of the last hour before it.
  public var trendStart: Instant {
    Instant(milliseconds: flooredQuotient(from.rawValue, over: Milliseconds.hour) * Milliseconds.hour) - 1
  }

  /// Multiples of the length since 1970, of the one in which the window begins.
  private var firstStretch: Int64 { flooredQuotient((from + 1).rawValue, over: stretch) }
}

/// The stretches of a window, as whole multiples of their length.
public struct Stretches: Sendable {
  var length: Int64
  var first: Int64

  /// Of an instant of the window.
  public func place(of instant: Instant) -> Int {
    Int(flooredQuotient(instant.rawValue, over: length) - first)
  }
}
