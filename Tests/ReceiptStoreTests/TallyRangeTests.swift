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
    Span(name: "an hour", from: 5, until: 6, buckets: 1),
    Span(name: "from one midnight to the next", from: 24, until: 48, buckets: 1),
    Span(name: "across a midnight", from: 20, until: 30, buckets: 10),
    Span(name: "four weeks less two hours", from: 1, until: 28 * 24 - 1, buckets: 80),
    Span(name: "three years", from: 437_003, until: 463_291, buckets: 110),
    Span(name: "around 1970", from: -30, until: 30, buckets: 20),
    Span(name: "long before", from: -100_000, until: -1, buckets: 110),
  ])
  func everyHourOnceInFewBuckets(_ span: Span) {
    let ranges = TallyRange.ranges(from: span.from, until: span.until)
    let hours = ranges.flatMap { range in
      range.buckets.flatMap { ($0 * range.grain.hours)..<(($0 + 1) * range.grain.hours) }
    }
    #expect(hours.sorted() == Array((span.from ?? 0)..<span.until))
    #expect(ranges.reduce(0) { $0 + $1.buckets.count } <= span.buckets)
  }

  @Test(arguments: [0, 1, 23, 24, 495_003, -1, -8737])
  func theBeginningOfTimeIsOpen(_ until: Int64) throws {
    let ranges = TallyRange.ranges(from: nil, until: until)
    let first = try #require(ranges.first)
    #expect(first.grain == .year && first.buckets.lowerBound == .min)
    let start = first.buckets.upperBound * TallyGrain.year.hours
    let hours = ranges.dropFirst().flatMap { range in
      range.buckets.flatMap { ($0 * range.grain.hours)..<(($0 + 1) * range.grain.hours) }
    }
    #expect(hours.sorted() == Array(start..<until))
  }
}
