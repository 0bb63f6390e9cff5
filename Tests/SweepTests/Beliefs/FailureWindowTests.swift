import Sweep
import Testing

@Suite struct FailureWindowTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let kind: FailedAttempt.Kind
    /// Failures of the kind, and answers with data after them.
    let failures: Int
    let answers: Int
    let isBurst: Bool
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing yet", kind: .malformed, failures: 0, answers: 0, isBurst: false),
    Case(testDescription: "one, and nothing else", kind: .passing, failures: 1, answers: 0, isBurst: true),
    Case(
      testDescription: "nine, and nothing else", kind: .malformed, failures: 9, answers: 0, isBurst: true),
    Case(testDescription: "one of three", kind: .passing, failures: 1, answers: 2, isBurst: true),
    Case(testDescription: "one of four", kind: .passing, failures: 1, answers: 3, isBurst: false),
    Case(testDescription: "one of four malformed", kind: .malformed, failures: 1, answers: 3, isBurst: false),
    Case(testDescription: "two of ten malformed", kind: .malformed, failures: 2, answers: 8, isBurst: true),
    Case(testDescription: "two of ten failing", kind: .passing, failures: 2, answers: 8, isBurst: false),
    Case(
      testDescription: "nine gone, and nothing else", kind: .gone, failures: 9, answers: 0, isBurst: false),
    Case(testDescription: "ten, and nothing else", kind: .malformed, failures: 10, answers: 0, isBurst: true),
    Case(testDescription: "10 % malformed", kind: .malformed, failures: 10, answers: 90, isBurst: true),
    Case(testDescription: "10 % gone", kind: .gone, failures: 10, answers: 90, isBurst: false),
    Case(testDescription: "30 % gone", kind: .gone, failures: 30, answers: 70, isBurst: true),
    Case(testDescription: "30 % failing", kind: .passing, failures: 30, answers: 70, isBurst: true),
    Case(testDescription: "long past", kind: .passing, failures: 100, answers: 95, isBurst: false),
  ]

  @Test(arguments: cases) func tellsTheAppStoresTroubleFromAReceipts(_ one: Case) {
    var window = FailureWindow()
    for _ in 0..<one.failures { window.take(one.kind) }
    for _ in 0..<one.answers { window.take(nil) }
    #expect(window.isBurst(of: one.kind) == one.isBurst)
    let others: [FailedAttempt.Kind] = [.passing, .puzzling, .malformed, .verdict, .gone].filter {
      $0 != one.kind
    }
    #expect(others.allSatisfy { !window.isBurst(of: $0) })
  }
}
