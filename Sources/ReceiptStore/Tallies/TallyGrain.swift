import Subscriptions

/// The lengths of time that tallies are kept for, each a whole number of the one before, so that any stretch of hours is the
/// sum of a few dozen buckets.
package enum TallyGrain: Int, CaseIterable, Sendable {
  case hour, day, week, month, year

  package var hours: Int64 {
    switch self {
    case .hour: 1
    case .day: 24
    case .week: 7 * 24
    case .month: 28 * 24
    case .year: 364 * 24
    }
  }

  func bucket(of hour: Int64) -> Int64 { flooredQuotient(hour, over: hours) }

  /// The first column of the table's key: one grain of one family stands together, in order of time.
  func layer(of family: TallyFamily) -> Int { family.rawValue * Self.allCases.count + rawValue }
}

/// Buckets of one grain that follow each other.
package struct TallyRange: Hashable {
  package var grain: TallyGrain
  package var buckets: Range<Int64>

  /// The fewest buckets that make up a stretch of hours.
  ///
  /// - Parameter start: nil is the beginning of time.
  package static func ranges(from start: Int64?, until end: Int64) -> [TallyRange] {
    guard let start else { return rangesUntil(end) }
    guard start < end else { return [] }
    var (low, high) = (start, end)
    var (before, after): ([TallyRange], [TallyRange]) = ([], [])
    for (grain, next) in zip(TallyGrain.allCases, TallyGrain.allCases.dropFirst()) {
      let (up, down) = (
        next.bucket(of: low + next.hours - 1) * next.hours, next.bucket(of: high) * next.hours
      )
      guard up < down else { return before + [range(grain, low, high)] + after }
      if low < up { before.append(range(grain, low, up)) }
      if down < high { after.insert(range(grain, down, high), at: 0) }
      (low, high) = (up, down)
    }
    return before + [range(.year, low, high)] + after
  }

  private static func rangesUntil(_ end: Int64) -> [TallyRange] {
    var high = end
    var ranges: [TallyRange] = []
    for (grain, next) in zip(TallyGrain.allCases, TallyGrain.allCases.dropFirst()) {
      let down = next.bucket(of: high) * next.hours
      if down < high { ranges.insert(range(grain, down, high), at: 0) }
      high = down
    }
    return [TallyRange(grain: .year, buckets: Int64.min..<TallyGrain.year.bucket(of: high))] + ranges
  }

  private static func range(_ grain: TallyGrain, _ low: Int64, _ high: Int64) -> TallyRange {
    TallyRange(grain: grain, buckets: low / grain.hours..<high / grain.hours)
  }
}

/// Whole hours since 1970, rounded towards the past.
func hour(of t: Instant) -> Int64 { flooredQuotient(t.rawValue, over: Milliseconds.hour) }
