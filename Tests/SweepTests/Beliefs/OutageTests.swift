import Subscriptions
import Sweep
import Testing

@Suite struct OutageTests {
  @Test(arguments: [(1, 20), (10, 20), (16, 32), (100, 200)])
  func soManyFailuresRunningAreAnOutage(concurrency: Int, failures: Int) {
    var outage = Outage(concurrency: concurrency)
    for _ in 1..<failures { #expect(!outage.fail(at: 10)) }
    #expect(outage.fail(at: 10))
  }

  @Test func anAnswerBeginsTheCountAnew() {
    var outage = Outage(concurrency: 1)
    for round in 0..<5 {
      for _ in 1..<20 { #expect(!outage.fail(at: Int64(round))) }
      outage.succeed(at: Int64(round))
    }
  }

  @Test func fewFailuresAreEnoughAfterAMinute() {
    var outage = Outage(concurrency: 16)
    outage.succeed(at: 5000)
    for second in 1...4 { #expect(!outage.fail(at: 5000 + Int64(second) * 20 * Milliseconds.second)) }
    #expect(outage.fail(at: 5000 + 100 * Milliseconds.second))
  }
}
