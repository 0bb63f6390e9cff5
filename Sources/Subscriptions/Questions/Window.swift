/// Length of a window: a number of days, or a calendar period to date.
public enum WindowLength: Hashable, Sendable {
  case days(Int)
  /// Calendar period to date: the window begins with the period that contains its end.
  case calendar(CalendarUnit, Zone)

  /// Zone of the days, weeks and months that divide the window.
  public var zone: Zone { if case .calendar(_, let zone) = self { zone } else { .utc } }

  /// Returns the same day and time some months earlier (default: one period); `nil` for windows of days.
  func end(_ t: Instant, earlierBy months: Int? = nil) -> Instant? {
    guard case .calendar(let unit, let zone) = self else { return nil }
    return zone.adding(months: -(months ?? unit.months), to: t + 1) - 1
  }
}

/// Time range of a report, up to the question's instant: `(from, to]`.
public struct Window: Hashable, Sendable, Encodable {
  /// Number of days from the start, including an incomplete last day.
  public var days: Int
  public var from: Instant
  public var to: Instant
  /// Calendar period that the window covers to date; `nil` for a number of days, and for parts of a window.
  public private(set) var period: CalendarPeriod?
  public private(set) var isWhole = false

  public init(days: Int, upTo t: Instant) {
    self.days = days
    from = t - Int64(days) * Milliseconds.day
    to = t
  }

  init(from: Instant, to: Instant, in zone: Zone) {
    days = Self.days(since: zone.local(from + 1), upTo: zone.local(to))
    (self.from, self.to) = (from, to)
  }

  public init(_ length: WindowLength, upTo t: Instant) {
    switch length {
    case .days(let days): self.init(days: days, upTo: t)
    case .calendar(let unit, let zone):
      let period = CalendarPeriod(unit, containing: zone.local(t).civilDate)
      self.init(from: period.start(in: zone) - 1, to: t, in: zone)
      (self.period, isWhole) = (period, t == period.end(in: zone))
    }
  }

  public func contains(_ instant: Instant) -> Bool { instant > from && instant <= to }

  /// Returns the number of days that a window needs to include a first purchase, at least 1.
  public static func days(since first: Instant, upTo t: Instant) -> Int {
    max(1, Int(clamping: (t - first) / Milliseconds.day + 1))
  }

  enum CodingKeys: String, CodingKey {
    case days
    case from = "from_ms"
    case to = "to_ms"
  }

  /// Length of a trend's stretches in milliseconds: the shortest that makes at most 31 stretches.
  private var stretch: Int64 {
    let hours = [1, 2, 3, 6, 12].map { $0 * Milliseconds.hour }
    let days = [1, 2, 3, 7, 14, 28].map { $0 * Milliseconds.day }
    func fits(_ length: Int64) -> Bool {
      flooredQuotient(to.rawValue, over: length) - flooredQuotient((from + 1).rawValue, over: length) < 31
    }
    var stretch = (hours + days).first(where: fits) ?? 56 * Milliseconds.day
    while !fits(stretch) { stretch *= 2 }
    return stretch
  }

  /// Last instant of each stretch of a trend.
  ///
  /// Stretches begin at multiples of their length since 1970, UTC, and are cut to the window.
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

  /// Last instant of the last whole hour that ended before `from`; a trend takes its first balance there.
  public var trendStart: Instant {
    Instant(milliseconds: flooredQuotient(from.rawValue, over: Milliseconds.hour) * Milliseconds.hour) - 1
  }

  private var firstStretch: Int64 { flooredQuotient((from + 1).rawValue, over: stretch) }

  /// Whether recovery is also listed by week: in windows of at most a quarter, whose weeks fit on a screen.
  var hasWeeks: Bool { days <= 92 }
}
