import Subscriptions
import TestSupport
import Testing

/// The results that IBM/airlytics-backend asserts of real subscribers, beside ours.
@Suite("Airlytics", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct AirlyticsTests {
  private static let tests = airlyticsPurchaseTests + airlyticsStateTests + airlyticsEventTests

  @Test(arguments: AirlyticsExpectation.all)
  func isMetOrDiffersForAReason(_ expectation: AirlyticsExpectation) throws {
    let test = try #require(
      Self.tests.first { $0.name == expectation.name }, "nobody has said what we make of it")
    #expect(test.claims.map(\.place).sorted() == Array(expectation.assertions.indices), "each once")
    let fixture = try #require(
      expectation.fixtures.first.flatMap { AirlyticsFixture($0, isEventTest: expectation.isEventTest) })
    for claim in test.claims where expectation.assertions.indices.contains(claim.place) {
      let assertion = expectation.assertions[claim.place]
      let theirs: String? =
        switch claim.said {
        case .text(let text): text
        case .number: expectation.number(at: claim.place)
        case .statement: "true"
        }
      if case .text(let text) = claim.said { #expect(assertion.contains(text), "it says \(assertion)") }
      switch claim.reading {
      case .met: #expect(claim.ours(fixture) == theirs, "\(claim.place): \(assertion)")
      case .differs(let value, _):
        #expect(claim.ours(fixture) == value, "\(claim.place): \(assertion)")
        #expect(value != theirs, "\(claim.place): it does not differ")
      case .outside: break
      }
    }
  }

  @Test func countsAreTold() {
    #expect(Set(Self.tests.map(\.name)) == Set(AirlyticsExpectation.all.map(\.name)))
    var (met, different, outside) = (0, 0, 0)
    for claim in Self.tests.flatMap(\.claims) {
      switch claim.reading {
      case .met: met += 1
      case .differs: different += 1
      case .outside: outside += 1
      }
    }
    print(
      "airlytics: \(Self.tests.count) tests, \(met) assertions met, \(different) different, \(outside) outside METRICS.md"
    )
  }
}

extension AirlyticsExpectation: CustomTestStringConvertible {
  var testDescription: String { name }
}
