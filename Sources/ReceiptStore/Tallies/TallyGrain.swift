import Subscriptions

/// The lengths of time that tallies are kept for, each a whole number of the one before, so that any stretch of time is the
/// sum of a few dozen buckets and of what stands in the hours that it cuts.
package enum TallyGrain: Int, CaseIterable, Sendable {
  /// A millisecond.
  case instant
  case hour, day, week, month, year

  package var milliseconds: Int64 {
    switch self {
    case .instant: 1
    case .hour: Milliseconds.hour
    case .day: Milliseconds.day
    case .week: 7 * Milliseconds.day
    case .month: 28 * Milliseconds.day
    case .year: 364 * Milliseconds.day
    }
  }

  /// The next one, and how many of this one it is.
  var next: (grain: TallyGrain, length: Int64)? {
    TallyGrain(rawValue: rawValue + 1).map { ($0, $0.milliseconds / milliseconds) }
  }

  /// The first millisecond of the bucket that holds an instant.
  func start(of t: Instant) -> Instant {
    Instant(milliseconds: flooredQuotient(t.countable.rawValue, over: milliseconds) * milliseconds)
  }
}

extension Instant {
  /// Far from the ends of what an integer holds.
  fileprivate var countable: Instant {
    Instant(milliseconds: Swift.min(Swift.max(rawValue, .min / 4), .max / 4))
  }
}

extension TallyFamily {
  /// Of events there are so many, and so many at different instants, that what of an hour is asked for is counted anew instead.
  var finest: TallyGrain { self == .event ? .hour : .instant }
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

  /// The fewest buckets that make up a stretch of time.
  ///
  /// - Parameter start: the last instant before it; nil is the beginning of time.
  package static func ranges(after start: Instant?, through end: Instant) -> [TallyRange] {
    let high = end.countable.rawValue + 1
    guard let start else { return rangesUntil(high) }
    let low = start.countable.rawValue + 1
    return low < high ? ranges(from: low, until: high) : []
  }

  private static func ranges(from start: Int64, until end: Int64) -> [TallyRange] {
    var (low, high) = (start, end)
    var (before, after): ([TallyRange], [TallyRange]) = ([], [])
    for grain in TallyGrain.allCases {
      guard let next = grain.next else { break }
      let (up, down) = (
        flooredQuotient(low + next.length - 1, over: next.length), flooredQuotient(high, over: next.length)
      )
      guard up < down else { return before + [TallyRange(grain: grain, buckets: low..<high)] + after }
      if low < up * next.length { before.append(TallyRange(grain: grain, buckets: low..<up * next.length)) }
      if down * next.length < high {
        after.insert(TallyRange(grain: grain, buckets: down * next.length..<high), at: 0)
      }
      (low, high) = (up, down)
    }
    return before + [TallyRange(grain: .year, buckets: low..<high)] + after
  }

  private static func rangesUntil(_ end: Int64) -> [TallyRange] {
    var high = end
    var ranges: [TallyRange] = []
    for grain in TallyGrain.allCases {
      guard let next = grain.next else { break }
      let down = flooredQuotient(high, over: next.length)
      if down * next.length < high {
        ranges.insert(TallyRange(grain: grain, buckets: down * next.length..<high), at: 0)
      }
      high = down
    }
    return [TallyRange(grain: .year, buckets: Int64.min..<high)] + ranges
  }
}
