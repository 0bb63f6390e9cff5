import Subscriptions

/// What is added up by itself: changes of position, or a family of facts.
package enum LedgerSeries: Hashable, Sendable {
  case changes
  case facts(FactFamily)

  /// In the table.
  var number: Int {
    switch self {
    case .changes: 0
    case .facts(let family): family.rawValue
    }
  }

  /// - Parameter number: of any measure of it.
  init(numbered number: Int) {
    self = FactFamily(rawValue: number % LedgerMeasure.apart).map(LedgerSeries.facts) ?? .changes
  }

  /// Whether facts are taken off again, at a later instant.
  var isTakenOff: Bool {
    if case .facts(let family) = self { family.horizon != nil } else { false }
  }

  /// Parts of an hour are read from the rows themselves, but for what stands with no row: who is fresh, and who shares.
  package var finest: LedgerGrain {
    self == .facts(.fresh) || self == .facts(.shared) ? .instant : .hour
  }
}

/// What is added up of a series, each in rows of its own: those in the reporting currency are there where there is one.
enum LedgerMeasure: Int {
  /// How many, and how much in the currency of the class.
  case own
  /// How much in the reporting currency.
  case converted
  /// How many rows have no rate.
  case unconverted
  /// Of sales, what Apple leaves at 30 % and at 15 %, in the reporting currency.
  case proceeds

  /// How far the numbers of two measures of one series are apart; those of changes are whole multiples of it.
  static let apart = 100

  /// What a series is called in the table.
  func number(of series: LedgerSeries) -> Int { series.number + rawValue * Self.apart }
}

/// What a row of `sums` has of a class.
package struct StoredSum: Hashable {
  /// Count that figures have; of other measures than `own`, how many rows the amounts are of.
  package var count: Int64 = 0
  /// Amount before a change. Of facts that are also taken off, `own` has the number of rows here, since their count may be 0.
  package var before: Int64 = 0
  package var after: Int64 = 0

  package init(count: Int64 = 0, before: Int64 = 0, after: Int64 = 0) {
    (self.count, self.before, self.after) = (count, before, after)
  }

  var isZero: Bool { self == StoredSum() }

  /// Whether so many rows can have such amounts.
  func isPossible(_ measure: LedgerMeasure, of series: LedgerSeries) -> Bool {
    var (rows, amounts) = (count, [before, after])
    if measure == .own, series.isTakenOff { (rows, amounts) = (before, [after]) }
    let most = Int128(rows.magnitude) * (measure == .unconverted ? 1 : Int128(Money.largestAmount))
    return amounts.allSatisfy { $0.magnitude <= most }
  }

  /// `nil` if it does not fit.
  func adding(_ other: StoredSum) -> StoredSum? {
    let (count, before, after) = (
      count.addingReportingOverflow(other.count), before.addingReportingOverflow(other.before),
      after.addingReportingOverflow(other.after)
    )
    guard !count.overflow, !before.overflow, !after.overflow else { return nil }
    return StoredSum(count: count.partialValue, before: before.partialValue, after: after.partialValue)
  }
}

/// The lengths of time that changes and facts are added up for, each a whole number of the one before, so that any stretch of them is
/// the sum of a few dozen.
package enum LedgerGrain: Int, CaseIterable, Sendable {
  /// A millisecond.
  case instant
  case hour, day, month, year

  /// How many of the shorter one before it is.
  var length: Int64 {
    switch self {
    case .instant: 1
    case .hour: Milliseconds.hour
    case .day: 24
    case .month: 28
    case .year: 13
    }
  }

  /// The longer ones.
  private static let milliseconds: [Int64] = allCases.reduce(into: []) { all, grain in
    all.append((all.last ?? 1) * grain.length)
  }

  package var milliseconds: Int64 { Self.milliseconds[rawValue] }

  var next: LedgerGrain? { LedgerGrain(rawValue: rawValue + 1) }
}

/// Buckets of one grain that follow each other, counted since 1970.
package struct LedgerBuckets: Hashable {
  package var grain: LedgerGrain
  package var range: Range<Int64>

  /// Before every instant that there can be, and a whole number of every grain.
  private static let beginning: Int64 = -LedgerGrain.year.milliseconds * 1_000_000

  /// The bucket that an instant lies in.
  package static func place(of t: Instant, in grain: LedgerGrain) -> Int64 {
    flooredQuotient(max(beginning, min(-beginning, t.rawValue)), over: grain.milliseconds)
  }

  /// The fewest that make up a stretch.
  ///
  /// - Parameters:
  ///   - start: in buckets of the finest grain; nil is the beginning of time.
  ///   - end: the same; the first that is not part of it.
  package static func covering(
    from start: Int64?, until end: Int64, finest: LedgerGrain
  ) -> [LedgerBuckets] {
    var (low, high) = (start ?? beginning / finest.milliseconds, end)
    guard low < high else { return [] }
    var (before, after): ([LedgerBuckets], [LedgerBuckets]) = ([], [])
    for grain in LedgerGrain.allCases where grain.rawValue >= finest.rawValue {
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

/// A stretch of time as sums of a series tell it, and the parts of hours at its ends that they do not tell.
package struct LedgerStretch {
  /// Part of an hour: what is missing, or where most of the hour is asked for, what is to be subtracted from its sums.
  package struct Part {
    package var range: ClosedRange<Instant>
    package var isSubtracted = false
  }

  package private(set) var buckets: [LedgerBuckets]
  package private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - start: the last instant before it; nil is the beginning of time.
  ///   - isMost: whether part of an hour takes longer to read than the rest of it.
  package init(
    after start: Instant?, through end: Instant, _ series: LedgerSeries,
    isMost: (_ part: ClosedRange<Instant>, _ rest: ClosedRange<Instant>) throws -> Bool
  ) rethrows {
    buckets = []
    guard start.map({ $0 < end }) ?? true else { return }
    let finest = series.finest
    let length = finest.milliseconds
    func first(of place: Int64) -> Instant { Instant(milliseconds: place * length) }
    // At the ends of time there are no buckets, and a part is longer than one.
    func isPart(_ range: Int64) -> Bool { range > 0 && range < length }
    var until = LedgerBuckets.place(of: end + 1, in: finest)
    var from = start.map { LedgerBuckets.place(of: $0 + length, in: finest) }
    if let start, let place = from, place > until {
      parts = [Part(range: start + 1...end)]
      return
    }
    if let start, let place = from, start + 1 < first(of: place) {
      let part = start + 1...first(of: place) - 1
      if isPart(first(of: place) - (start + 1)), try isMost(part, first(of: place - 1)...start) {
        from = place - 1
        parts.append(Part(range: first(of: place - 1)...start, isSubtracted: true))
      } else {
        parts.append(Part(range: part))
      }
    }
    if first(of: until) <= end {
      let part = first(of: until)...end
      let rest = isPart(end + 1 - first(of: until)) ? end + 1...first(of: until + 1) - 1 : nil
      if let rest, try isMost(part, rest) {
        until += 1
        parts.append(Part(range: rest, isSubtracted: true))
      } else {
        parts.append(Part(range: part))
      }
    }
    buckets = LedgerBuckets.covering(from: from, until: until, finest: finest)
  }

  /// Where the longer part of an hour takes longer to read.
  package static func isLonger(_ part: ClosedRange<Instant>, than rest: ClosedRange<Instant>) -> Bool {
    part.upperBound - part.lowerBound > rest.upperBound - rest.lowerBound
  }
}
