import ReceiptStore
import Subscriptions
import Testing

@Suite struct TallyRangeTests {
  struct Span: CustomTestStringConvertible {
    let name: String
    let after: String
    let through: String
    /// At the most, of an hour and more.
    let buckets: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Span(name: "nothing", after: "2026-03-01T10:00:00Z", through: "2026-03-01T10:00:00Z", buckets: 0),
    Span(name: "a minute", after: "2026-03-01T10:05:00Z", through: "2026-03-01T10:06:00Z", buckets: 0),
    Span(name: "an hour", after: "2026-03-01T10:59:59.999Z", through: "2026-03-01T11:59:59.999Z", buckets: 1),
    Span(
      name: "an hour across the hour", after: "2026-03-01T10:30:00Z", through: "2026-03-01T11:30:00Z",
      buckets: 0),
    Span(
      name: "from one midnight to the next", after: "2026-03-01T23:59:59.999Z",
      through: "2026-03-02T23:59:59.999Z", buckets: 1),
    Span(
      name: "across a midnight", after: "2026-03-01T22:10:00Z", through: "2026-03-02T01:20:00Z", buckets: 2),
    Span(
      name: "four weeks", after: "2026-03-01T09:41:07.123Z", through: "2026-03-29T09:41:07.123Z", buckets: 60),
    Span(
      name: "three years", after: "2023-03-01T09:41:07.123Z", through: "2026-03-01T02:00:00Z", buckets: 100),
    Span(name: "around 1970", after: "1969-12-31T22:30:00Z", through: "1970-01-01T02:30:00Z", buckets: 4),
    Span(
      name: "long before", after: "1902-03-01T09:41:07.123Z", through: "1969-12-31T23:59:59Z", buckets: 160),
  ])
  func everyInstantOnceInFewBuckets(_ span: Span) throws {
    let (after, through) = (
      try #require(Instant(parsing: span.after)), try #require(Instant(parsing: span.through))
    )
    let ranges = TallyRange.ranges(after: after, through: through)
    #expect(Self.gap(in: ranges, from: after.rawValue + 1, until: through.rawValue + 1) == nil)
    let coarse = ranges.filter { $0.grain != .instant }
    #expect(coarse.reduce(0) { $0 + $1.buckets.count } <= span.buckets)
    let fine = ranges.filter { $0.grain == .instant }
    #expect(fine.count <= 2 && fine.allSatisfy { $0.buckets.count < 2 * Milliseconds.hour })
  }

  @Test(arguments: [0, 1, 3_599_999, 3_600_000, 1_782_000_123_456, -1, -31_449_600_001, .max, .min])
  func theBeginningOfTimeIsOpen(_ through: Int64) throws {
    let ranges = TallyRange.ranges(after: nil, through: Instant(milliseconds: through))
    let first = try #require(ranges.first)
    #expect(first.grain == .year && first.buckets.lowerBound == .min)
    let start = first.buckets.upperBound * TallyGrain.year.milliseconds
    let end = min(max(through, .min / 4), .max / 4)
    #expect(end - start < TallyGrain.year.milliseconds)
    #expect(Self.gap(in: Array(ranges.dropFirst()), from: start, until: end + 1) == nil)
  }

  @Test func theEndsOfTimeHoldNothing() {
    for end in [Instant.distantPast, .distantFuture] {
      #expect(TallyRange.ranges(after: end, through: end).isEmpty)
    }
  }

  @Test func allOfTimeIsMadeUpOnce() {
    let ranges = TallyRange.ranges(after: .distantPast, through: .distantFuture)
    #expect(Self.gap(in: ranges, from: .min / 4 + 1, until: .max / 4 + 1) == nil)
  }

  /// Where the ranges do not follow each other; nil where they make up the whole stretch.
  private static func gap(in ranges: [TallyRange], from start: Int64, until end: Int64) -> Int64? {
    var next = start
    for range in ranges {
      guard range.buckets.lowerBound * range.grain.milliseconds == next, !range.buckets.isEmpty else {
        return next
      }
      next = range.buckets.upperBound * range.grain.milliseconds
    }
    return next == end ? nil : next
  }
}
