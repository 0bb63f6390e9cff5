import Subscriptions

/// The lengths of time that changes are added up for, each a whole number of the one before, so that any stretch of whole hours is
/// the sum of a few dozen.
package enum LedgerGrain: Int, CaseIterable, Sendable {
  case hour = 1
  case day, month, year

  /// How many of the next shorter one it is; of milliseconds for an hour.
  var length: Int64 {
    switch self {
    case .hour: Milliseconds.hour
    case .day: 24
    case .month: 28
    case .year: 13
    }
  }

  var next: LedgerGrain? { LedgerGrain(rawValue: rawValue + 1) }
}

/// Buckets of one grain that follow each other, counted since 1970.
package struct LedgerBuckets: Hashable {
  package var grain: LedgerGrain
  package var range: Range<Int64>

  /// Before every instant that there can be, and a whole number of every grain.
  private static let beginning: Int64 = -24 * 28 * 13 * 1_000_000

  /// The hour that an instant lies in.
  package static func hour(of t: Instant) -> Int64 {
    max(beginning, min(-beginning, flooredQuotient(t.rawValue, over: Milliseconds.hour)))
  }

  /// The fewest that make up a stretch of hours.
  ///
  /// - Parameter start: nil is the beginning of time.
  package static func covering(from start: Int64?, until end: Int64) -> [LedgerBuckets] {
    var (low, high) = (start ?? beginning, end)
    guard low < high else { return [] }
    var (before, after): ([LedgerBuckets], [LedgerBuckets]) = ([], [])
    for grain in LedgerGrain.allCases {
      let length = grain.next?.length ?? 0
      let (up, down) =
        length == 0
        ? (0, 0)
        : (flooredQuotient(low + length - 1, over: length), flooredQuotient(high, over: length))
      guard up < down else { return before + [LedgerBuckets(grain: grain, range: low..<high)] + after }
      if low < up * length { before.append(LedgerBuckets(grain: grain, range: low..<up * length)) }
      if down * length < high {
        after.insert(LedgerBuckets(grain: grain, range: down * length..<high), at: 0)
      }
      (low, high) = (up, down)
    }
    return before + after
  }
}
