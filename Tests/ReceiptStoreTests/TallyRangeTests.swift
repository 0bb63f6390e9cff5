import ReceiptStore
import Testing

@Suite struct TallyRangeTests {
  struct Span: CustomTestStringConvertible {
    let name: String
    let from: Int64?
    let until: Int64
    /// At the most.
    let buckets: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Span(name: "nothing", from: 5, until: 5, buckets: 0),
    Span(name: "a minute", from: 5, until: 6, buckets: 1),
    Span(name: "an hour", from: 60, until: 120, buckets: 1),
    Span(name: "from one midnight to the next", from: 1440, until: 2880, buckets: 1),
    Span(name: "across a midnight", from: 1400, until: 1480, buckets: 80),
    Span(name: "four weeks less two minutes", from: 1, until: 28 * 1440 - 1, buckets: 180),
    Span(name: "three years", from: 26_220_187, until: 27_797_467, buckets: 220),
    Span(name: "around 1970", from: -30, until: 30, buckets: 60),
    Span(name: "long before", from: -6_000_000, until: -1, buckets: 220),
  ])
  func everyMinuteOnceInFewBuckets(_ span: Span) {
    let ranges = TallyRange.ranges(from: span.from, until: span.until)
    let minutes = ranges.flatMap { range in
      range.buckets.flatMap { ($0 * range.grain.minutes)..<(($0 + 1) * range.grain.minutes) }
    }
    #expect(minutes.sorted() == Array((span.from ?? 0)..<span.until))
    #expect(ranges.reduce(0) { $0 + $1.buckets.count } <= span.buckets)
  }

  @Test(arguments: [0, 1, 23, 24, 495_003, -1, -8737])
  func theBeginningOfTimeIsOpen(_ until: Int64) throws {
    let ranges = TallyRange.ranges(from: nil, until: until)
    let first = try #require(ranges.first)
    #expect(first.grain == .year && first.buckets.lowerBound == .min)
    let start = first.buckets.upperBound * TallyGrain.year.minutes
    let minutes = ranges.dropFirst().flatMap { range in
      range.buckets.flatMap { ($0 * range.grain.minutes)..<(($0 + 1) * range.grain.minutes) }
    }
    #expect(minutes.sorted() == Array(start..<until))
  }
}
