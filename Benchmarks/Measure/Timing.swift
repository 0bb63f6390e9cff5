/// Times of repeated runs, in milliseconds.
struct Timing: Encodable {
  let what: String
  /// First run, with cold caches, which does not count in the quantiles.
  let first: Double
  let median: Double
  let p10: Double
  let p90: Double
  let p99: Double
  let runs: Int

  init(_ what: String, runs: Int, _ body: (Int) throws -> Void) rethrows {
    self.what = what
    self.runs = runs
    first = try Self.milliseconds { try body(0) }
    var times: [Double] = []
    for run in 0..<max(1, runs) { times.append(try Self.milliseconds { try body(run) }) }
    times.sort()
    let quantile = { (share: Double) in times[min(times.count - 1, Int(share * Double(times.count)))] }
    (median, p10, p90, p99) = (quantile(0.5), quantile(0.1), quantile(0.9), quantile(0.99))
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) * 1e-15
  }
}
