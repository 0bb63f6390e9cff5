import Subscriptions
import Sweep
import Testing

@Suite struct LatenciesTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// Microseconds.
    let taken: [Int64]
    let quantiles: LatencyQuantiles?
    /// How many took at most 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30 s, and all.
    let buckets: [Int]
    let sum: Double
  }

  static let cases: [Case] = [
    Case(
      testDescription: "none", taken: [], quantiles: nil, buckets: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], sum: 0),
    Case(
      testDescription: "one", taken: [120_500], quantiles: LatencyQuantiles(p50: 120.5, p95: 120.5),
      buckets: [0, 0, 1, 1, 1, 1, 1, 1, 1, 1], sum: 0.1205),
    Case(
      testDescription: "on the bounds", taken: [50_000, 100_000, 30_000_000, 30_000_001],
      quantiles: LatencyQuantiles(p50: 100, p95: 30_000.001), buckets: [1, 2, 2, 2, 2, 2, 2, 2, 3, 4],
      sum: 60.150001),
    Case(
      testDescription: "a hundred", taken: (1...100).reversed().map { $0 * 10_000 },
      quantiles: LatencyQuantiles(p50: 500, p95: 950),
      buckets: [5, 10, 25, 50, 100, 100, 100, 100, 100, 100],
      sum: 50.5),
    Case(
      testDescription: "a clock set back", taken: [-1, 2000], quantiles: LatencyQuantiles(p50: 0, p95: 2),
      buckets: [2, 2, 2, 2, 2, 2, 2, 2, 2, 2], sum: 0.002),
  ]

  @Test(arguments: cases) func areCounted(_ one: Case) {
    var latencies = Latencies()
    for latency in one.taken { latencies.take(latency) }
    #expect(latencies.quantiles == one.quantiles)
    #expect(latencies.buckets == one.buckets)
    #expect(latencies.buckets.count == Latencies.bounds.count + 1)
    #expect(latencies.count == one.taken.count)
    #expect(latencies.sum == one.sum)
  }

  @Test func quantilesForgetWhatIsOld() {
    var latencies = Latencies()
    for _ in 0..<5000 { latencies.take(9_000_000) }
    for _ in 0..<Latencies.memory { latencies.take(1000) }
    #expect(latencies.quantiles == LatencyQuantiles(p50: 1, p95: 1))
    #expect(latencies.count == 5000 + Latencies.memory)
  }
}
