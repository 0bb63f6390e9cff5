import Subscriptions
import Sweep
import Testing

@Suite struct LatenciesTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// Microseconds.
    let taken: [Int64]
    let quantiles: LatencyQuantiles?
  }

  static let cases: [Case] = [
    Case(testDescription: "none", taken: [], quantiles: nil),
    Case(testDescription: "one", taken: [120_500], quantiles: LatencyQuantiles(p50: 120.5, p95: 120.5)),
    Case(
      testDescription: "four, of which two are slow", taken: [50_000, 100_000, 30_000_000, 30_000_001],
      quantiles: LatencyQuantiles(p50: 100, p95: 30_000.001)),
    Case(
      testDescription: "a hundred", taken: (1...100).reversed().map { $0 * 10_000 },
      quantiles: LatencyQuantiles(p50: 500, p95: 950)),
    Case(
      testDescription: "a clock set back", taken: [-1, 2000], quantiles: LatencyQuantiles(p50: 0, p95: 2)),
  ]

  @Test(arguments: cases) func quantiles(_ one: Case) {
    var latencies = Latencies()
    for latency in one.taken { latencies.take(latency) }
    #expect(latencies.quantiles == one.quantiles)
  }

  @Test func forgetsOldLatencies() {
    var latencies = Latencies()
    for _ in 0..<5000 { latencies.take(9_000_000) }
    for _ in 0..<Latencies.memory { latencies.take(1000) }
    #expect(latencies.quantiles == LatencyQuantiles(p50: 1, p95: 1))
  }
}
