import Subscriptions
import Sweep
import Testing

@Suite struct FailureReasonsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reasons: [String]
    let tallies: [FailureTally]
  }

  static let cases = [
    Case(testDescription: "none", reasons: [], tallies: []),
    Case(
      testDescription: "the most frequent comes first", reasons: ["a", "b", "b"],
      tallies: [FailureTally(reason: "b", count: 2), FailureTally(reason: "a", count: 1)]),
    Case(
      testDescription: "as frequent ones are in an order", reasons: ["b", "a"],
      tallies: [FailureTally(reason: "a", count: 1), FailureTally(reason: "b", count: 1)]),
  ]

  @Test(arguments: cases) func areCounted(_ one: Case) {
    var reasons = FailureReasons()
    for reason in one.reasons { reasons.add(reason) }
    #expect(reasons.tallies == one.tallies)
  }

  @Test func howeverManyThereAreOnlySoManyAreKept() {
    var reasons = FailureReasons()
    for number in 0..<FailureReasons.most + 7 { reasons.add("\(number)") }
    reasons.add("0")
    #expect(reasons.tallies.count == FailureReasons.most + 1)
    #expect(reasons.tallies.first == FailureTally(reason: "0", count: 2))
    #expect(reasons.tallies.last == FailureTally(reason: FailureReasons.other, count: 7))
  }
}
