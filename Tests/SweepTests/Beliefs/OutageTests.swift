import Subscriptions
import Sweep
import Testing

@Suite struct OutageTests {
  /// Whether each of so many failures at these instants makes it an outage.
  private func outcomes(of outage: inout Outage, at instants: [Int64]) -> [Bool] {
    instants.map { outage.fail(at: $0) }
  }

  @Test(arguments: [(1, 20), (10, 20), (16, 32), (100, 200)])
  func soManyFailuresRunningAreAnOutage(concurrency: Int, failures: Int) {
    var outage = Outage(concurrency: concurrency)
    let outcomes = outcomes(of: &outage, at: Array(repeating: 10, count: failures))
    #expect(outcomes.firstIndex(of: true) == failures - 1)
  }

  @Test func anAnswerBeginsTheCountAnew() {
    var outage = Outage(concurrency: 1)
    for round in 0..<5 as Range<Int64> {
      let outcomes = outcomes(of: &outage, at: Array(repeating: round, count: 19))
      #expect(!outcomes.contains(true))
      outage.succeed(at: round)
    }
  }

  @Test func fewFailuresAreEnoughAfterAMinute() {
    var outage = Outage(concurrency: 16)
    outage.succeed(at: 5000)
    let outcomes = outcomes(of: &outage, at: [25_000, 40_000, 60_000, 64_999, 65_000])
    #expect(outcomes == [false, false, false, false, true])
  }
}
