import Subscriptions

/// The lengths of time that tallies are kept for, each a whole number of the one before, so that any stretch of
/// minutes is the sum of a few dozen buckets.
package enum TallyGrain: Int, CaseIterable, Sendable {
  case minute, hour, day, week, month, year

  package var minutes: Int64 {
    switch self {
    case .minute: 1
    case .hour: 60
    case .day: 24 * 60
    case .week: 7 * 24 * 60
    case .month: 28 * 24 * 60
    case .year: 364 * 24 * 60
    }
  }

  func bucket(of minute: Int64) -> Int64 { flooredQuotient(minute, over: minutes) }

  /// The first minute of the bucket that holds an instant.
  func firstMinute(at t: Instant) -> Int64 {
    flooredQuotient(t.rawValue, over: minutes * Milliseconds.minute) * minutes
  }

  /// The beginning of that bucket.
  func start(of t: Instant) -> Instant { Instant(milliseconds: firstMinute(at: t) * Milliseconds.minute) }
}

extension TallyFamily {
  /// Of events there are so many, and so many at different minutes, that the last hour is counted anew instead.
  package var finest: TallyGrain { self == .event ? .hour : .minute }
}

/// What stands together in the table, in order of time: its first column.
enum TallyLayer {
  /// Most questions are about production alone.
  enum Side: Int, CaseIterable {
    case production, others

    init(_ environment: StoreEnvironment) { self = environment == .production ? .production : .others }
  }

  static func number(of family: TallyFamily, in grain: TallyGrain, _ side: Side) -> Int {
    (family.rawValue * TallyGrain.allCases.count + grain.rawValue) * Side.allCases.count + side.rawValue
  }
}

extension EnvironmentScope {
  var sides: [TallyLayer.Side] {
    switch self {
    case .production: [.production]
    case .sandbox: [.others]
    case .all: TallyLayer.Side.allCases
    }
  }
}

/// Buckets of one grain that follow each other.
package struct TallyRange: Hashable {
  package var grain: TallyGrain
  package var buckets: Range<Int64>

  /// The fewest buckets that make up a stretch of minutes.
  ///
  /// - Parameter start: nil is the beginning of time.
  package static func ranges(from start: Int64?, until end: Int64) -> [TallyRange] {
    guard let start else { return rangesUntil(end) }
    guard start < end else { return [] }
    var (low, high) = (start, end)
    var (before, after): ([TallyRange], [TallyRange]) = ([], [])
    for (grain, next) in zip(TallyGrain.allCases, TallyGrain.allCases.dropFirst()) {
      let (up, down) = (
        next.bucket(of: low + next.minutes - 1) * next.minutes, next.bucket(of: high) * next.minutes
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
      let down = next.bucket(of: high) * next.minutes
      if down < high { ranges.insert(range(grain, down, high), at: 0) }
      high = down
    }
    return [TallyRange(grain: .year, buckets: Int64.min..<TallyGrain.year.bucket(of: high))] + ranges
  }

  private static func range(_ grain: TallyGrain, _ low: Int64, _ high: Int64) -> TallyRange {
    TallyRange(grain: grain, buckets: low / grain.minutes..<high / grain.minutes)
  }
}

/// Whole minutes since 1970, rounded towards the past.
func minute(of t: Instant) -> Int64 { flooredQuotient(t.rawValue, over: Milliseconds.minute) }

func minuteStart(of t: Instant) -> Instant { TallyGrain.minute.start(of: t) }
