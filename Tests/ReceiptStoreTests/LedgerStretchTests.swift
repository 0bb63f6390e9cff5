import ReceiptStore
import Subscriptions
import Testing

/// A stretch of time is made of buckets and of parts of hours that hold each of its instants once, and none besides.
@Suite struct LedgerStretchTests {
  struct Stretch: CustomTestStringConvertible {
    let name: String
    let after: String
    let through: String
    /// At the most, of an hour and more.
    let buckets: Int
    var testDescription: String { name }
  }

  private static let series: [LedgerSeries] = [.changes, .facts(.due), .facts(.fresh), .facts(.shared)]

  @Test(
    arguments: [
      Stretch(name: "nothing", after: "2026-03-01T10:00:00Z", through: "2026-03-01T10:00:00Z", buckets: 0),
      Stretch(name: "a minute", after: "2026-03-01T10:05:00Z", through: "2026-03-01T10:06:00Z", buckets: 0),
      Stretch(
        name: "an hour", after: "2026-03-01T10:59:59.999Z", through: "2026-03-01T11:59:59.999Z", buckets: 1),
      Stretch(
        name: "an hour across the hour", after: "2026-03-01T10:30:00Z", through: "2026-03-01T11:30:00Z",
        buckets: 1),
      Stretch(
        name: "to the first instant of an hour", after: "2026-03-01T10:30:00Z",
        through: "2026-03-01T11:00:00Z",
        buckets: 0),
      Stretch(
        name: "from one midnight to the next", after: "2026-03-01T23:59:59.999Z",
        through: "2026-03-02T23:59:59.999Z", buckets: 1),
      Stretch(
        name: "across a midnight", after: "2026-03-01T22:10:00Z", through: "2026-03-02T01:20:00Z", buckets: 3),
      Stretch(
        name: "four weeks", after: "2026-03-01T09:41:07.123Z", through: "2026-03-29T09:41:07.123Z",
        buckets: 75),
      Stretch(
        name: "three years", after: "2023-03-01T09:41:07.123Z", through: "2026-03-01T02:00:00Z", buckets: 120),
      Stretch(
        name: "around 1970", after: "1969-12-31T22:30:00Z", through: "1970-01-01T02:30:00Z", buckets: 4),
      Stretch(
        name: "long before", after: "1902-03-01T09:41:07.123Z", through: "1969-12-31T23:59:59Z", buckets: 175),
    ], series)
  func everyInstantOnceInFewBuckets(_ stretch: Stretch, _ series: LedgerSeries) throws {
    let (after, through) = (
      try #require(Instant(parsing: stretch.after)), try #require(Instant(parsing: stretch.through))
    )
    let found = LedgerStretch(after: after, through: through, series, isMost: LedgerStretch.isLonger)
    #expect(Self.gap(in: found, from: after.rawValue + 1, until: through.rawValue + 1) == nil)
    for isMost in [true, false] {
      let other = LedgerStretch(after: after, through: through, series) { _, _ in isMost }
      #expect(Self.gap(in: other, from: after.rawValue + 1, until: through.rawValue + 1) == nil)
    }
    let coarse = found.buckets.filter { $0.grain != .instant }
    #expect(coarse.reduce(0) { $0 + $1.range.count } <= stretch.buckets)
    let fine = found.buckets.filter { $0.grain == .instant }
    #expect(fine.count <= 2 && fine.allSatisfy { $0.range.count < 2 * Milliseconds.hour })
    #expect(series.finest == .hour ? fine.isEmpty : found.parts.isEmpty)
    #expect(found.parts.allSatisfy { $0.range.upperBound - $0.range.lowerBound < Milliseconds.hour / 2 })
  }

  @Test(
    arguments: [0, 1, 3_599_999, 3_600_000, 1_782_000_123_456, -1, -31_449_600_001, .max - 1, .min + 1],
    series)
  func theBeginningOfTimeIsOpen(_ through: Int64, _ series: LedgerSeries) throws {
    let end = Instant(milliseconds: through)
    let found = LedgerStretch(after: nil, through: end, series, isMost: LedgerStretch.isLonger)
    let beginning = -LedgerGrain.year.milliseconds * 1_000_000
    guard through > beginning, through < -beginning else {
      // No instant in the store is so far away.
      #expect(found.buckets.allSatisfy { $0.range.lowerBound < $0.range.upperBound })
      return
    }
    #expect(Self.gap(in: found, from: beginning, until: through + 1) == nil)
  }

  @Test(arguments: series)
  func theEndsOfTimeHoldNothing(_ series: LedgerSeries) {
    for end in [Instant.distantPast, .distantFuture] {
      let found = LedgerStretch(after: end, through: end, series, isMost: LedgerStretch.isLonger)
      #expect(found.buckets.isEmpty && found.parts.isEmpty)
    }
  }

  /// Where buckets and parts do not follow each other; nil where they make up the whole stretch.
  private static func gap(in stretch: LedgerStretch, from start: Int64, until end: Int64) -> Int64? {
    let buckets = stretch.buckets.map { buckets in
      let length = buckets.grain.milliseconds
      return buckets.range.lowerBound * length..<buckets.range.upperBound * length
    }
    // How often an instant is counted changes where a bucket or a part begins and ends.
    var steps: [Int64: Int] = [:]
    for range in buckets {
      steps[range.lowerBound, default: 0] += 1
      steps[range.upperBound, default: 0] -= 1
    }
    for part in stretch.parts {
      let times = part.isSubtracted ? -1 : 1
      steps[part.range.lowerBound.rawValue, default: 0] += times
      steps[part.range.upperBound.rawValue + 1, default: 0] -= times
    }
    steps = steps.filter { $0.value != 0 }
    guard start < end else { return steps.keys.min() }
    let expected = [start: 1, end: -1]
    return steps == expected ? nil : steps.filter { expected[$0.key] != $0.value }.keys.min() ?? start
  }
}
