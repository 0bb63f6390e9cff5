import Subscriptions

/// Series of sums: changes of position, facts of one family, or a cohort series.
package enum LedgerSeries: Hashable, Sendable {
  case changes
  case facts(FactFamily)
  /// Lines paid `months` calendar months after their first payment, dated by that payment.
  case cohorts(months: Int)

  /// Number of the first cohort series; each cohort series reserves ten numbers for its measures.
  private static let firstCohort = 1000

  /// Creates the series that a value of the column `series` belongs to, for any measure.
  init(numbered number: Int) {
    self =
      number >= Self.firstCohort
      ? .cohorts(months: (number - Self.firstCohort) / 10)
      : FactFamily(rawValue: number % 100).map(LedgerSeries.facts) ?? .changes
  }

  /// Returns the value of the column `series` for a measure.
  func number(of measure: LedgerMeasure) -> Int {
    switch self {
    case .changes: measure.rawValue * 100
    case .facts(let family): measure.rawValue * 100 + family.rawValue
    case .cohorts(let months): Self.firstCohort + months * 10 + measure.rawValue
    }
  }

  static func measure(ofNumber number: Int) -> LedgerMeasure {
    LedgerMeasure(rawValue: number >= firstCohort ? number % 10 : number / 100) ?? .own
  }

  /// Whether the facts are upcoming renewals, whose amounts are subtracted again at a later instant.
  var isTakenOff: Bool { if case .facts(let family) = self { family.horizon != nil } else { false } }

  /// Bucket lengths, shortest first; freshness and sharing have sums per instant, because they have no rows
  /// from which parts of an hour could be read.
  var grains: [LedgerGrain] {
    switch self {
    case .facts(.fresh), .facts(.shared): LedgerGrain.regular
    case .changes, .facts: Array(LedgerGrain.regular.dropFirst())
    case .cohorts: [.hour, .day, .calendarMonth]
    }
  }

  package var finest: LedgerGrain { grains[0] }
}

/// Quantity that has sums of its own in a series; without a reporting currency, only `own` exists.
enum LedgerMeasure: Int, CaseIterable {
  /// Count, and amount in the currency of the class.
  case own
  case converted
  /// Number of rows without an exchange rate.
  case unconverted
  /// Proceeds of the same sales at 30 % and, alternatively, at 15 % commission, in the reporting currency.
  case proceeds
}

package struct StoredSum: Hashable {
  /// Count that figures use; for measures other than `own`, the number of rows whose amounts are added.
  package var count: Int64 = 0
  /// Amount before a change.
  ///
  /// For `proceeds`, the proceeds at 30 % commission. For `own` of a series with `isTakenOff`, the number of
  /// rows, because `count` may be 0 although there are rows.
  package var before: Int64 = 0
  package var after: Int64 = 0

  package init(count: Int64 = 0, before: Int64 = 0, after: Int64 = 0) {
    (self.count, self.before, self.after) = (count, before, after)
  }

  var isZero: Bool { self == StoredSum() }

  /// Returns whether the amounts are possible for the number of rows.
  func isPossible(_ measure: LedgerMeasure, of series: LedgerSeries) -> Bool {
    var (rows, amounts) = (count, [before, after])
    if measure == .own, series.isTakenOff { (rows, amounts) = (before, [after]) }
    let most = Int128(rows.magnitude) * (measure == .unconverted ? 1 : Int128(Money.largestAmount))
    return amounts.allSatisfy { $0.magnitude <= most }
  }

  func adding(_ other: StoredSum) -> StoredSum? {
    let (count, before, after) = (
      count.addingReportingOverflow(other.count), before.addingReportingOverflow(other.before),
      after.addingReportingOverflow(other.after)
    )
    guard !count.overflow, !before.overflow, !after.overflow else { return nil }
    return StoredSum(count: count.partialValue, before: before.partialValue, after: after.partialValue)
  }
}

/// Lengths of the time buckets of sums; each regular length is a multiple of the previous one, so that a few
/// dozen buckets cover any range.
package enum LedgerGrain: Int, CaseIterable, Sendable {
  case instant
  /// Hour, day, 28 days, 364 days.
  case hour, day, month, year
  /// Calendar month, for cohorts, numbered as `CivilMonth`.
  case calendarMonth

  static let regular: [LedgerGrain] = [.instant, .hour, .day, .month, .year]

  /// Returns the number of the bucket that contains the bucket `at` of the next shorter grain.
  func place(of at: Int64) -> Int64 {
    self == .calendarMonth
      ? Int64(CivilMonth(of: CivilDate(daysSince1970: Int(at))).index) : flooredQuotient(at, over: length)
  }

  /// Length in units of the next shorter grain, except for calendar months.
  var length: Int64 {
    switch self {
    case .instant, .calendarMonth: 1
    case .hour: Milliseconds.hour
    case .day: 24
    case .month: 28
    case .year: 13
    }
  }

  private static let milliseconds: [Int64] = regular.reduce(into: []) { all, grain in
    all.append((all.last ?? 1) * grain.length)
  }

  package var milliseconds: Int64 { Self.milliseconds[rawValue] }

  var next: LedgerGrain? { Self.regular.dropFirst(rawValue + 1).first }
}

/// Consecutive buckets of one grain, numbered from 1970.
package struct LedgerBuckets: Hashable {
  package var grain: LedgerGrain
  package var range: Range<Int64>

  /// Earliest instant, in milliseconds: a multiple of every grain.
  private static let beginning: Int64 = -LedgerGrain.year.milliseconds * 1_000_000

  package static func place(of t: Instant, in grain: LedgerGrain) -> Int64 {
    flooredQuotient(max(beginning, min(-beginning, t.rawValue)), over: grain.milliseconds)
  }

  /// Returns the fewest buckets that together make up a range, whose bounds are bucket numbers in `finest`.
  package static func covering(from start: Int64?, until end: Int64, finest: LedgerGrain) -> [LedgerBuckets] {
    var (low, high) = (start ?? beginning / finest.milliseconds, end)
    guard low < high else { return [] }
    var (before, after): ([LedgerBuckets], [LedgerBuckets]) = ([], [])
    for grain in LedgerGrain.regular[finest.rawValue...] {
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

/// Time range, divided into buckets of a series and the remaining parts of hours at its ends.
package struct LedgerStretch {
  package private(set) var buckets: [LedgerBuckets]
  package private(set) var parts: [ClosedRange<Instant>] = []

  /// - Parameter start: Last instant before the range; `nil` for the beginning of time.
  package init(after start: Instant?, through end: Instant, _ series: LedgerSeries) {
    buckets = []
    guard start.map({ $0 < end }) ?? true else { return }
    let finest = series.finest
    func first(of place: Int64) -> Instant { Instant(milliseconds: place * finest.milliseconds) }
    let until = LedgerBuckets.place(of: end + 1, in: finest)
    let from = start.map { LedgerBuckets.place(of: $0 + finest.milliseconds, in: finest) }
    if let start, let from {
      guard from <= until else {
        parts = [start + 1...end]
        return
      }
      if start + 1 < first(of: from) { parts.append(start + 1...first(of: from) - 1) }
    }
    if first(of: until) <= end { parts.append(first(of: until)...end) }
    buckets = LedgerBuckets.covering(from: from, until: until, finest: finest)
  }
}
