import ReceiptStore
import Subscriptions
import Sweep
import Testing

@Suite struct GiveUpPolicyTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let kind: FailedAttempt.Kind
    var failures = 0
    /// Days since the first failure.
    var days: Int64?
    var isRepeated = false
    /// Hours since the same failure began to repeat; `nil` if since the first failure.
    var sameHours: Int64?
    var wasValidated = false
    var isBurst = false
    let isDead: Bool
  }

  static let cases: [Case] = [
    Case(testDescription: "21003 once", kind: .verdict, isDead: false),
    Case(
      testDescription: "21003 twice running", kind: .verdict, failures: 1, days: 0, isRepeated: true,
      isDead: true),
    Case(
      testDescription: "21003 after something else", kind: .verdict, failures: 4, days: 0, isDead: false),
    Case(
      testDescription: "21003 twice while everybody gets it", kind: .verdict, failures: 1, days: 0,
      isRepeated: true, isBurst: true, isDead: false),
    Case(
      testDescription: "21003 for everybody, for three days", kind: .verdict, failures: 6, days: 3,
      isRepeated: true, isBurst: true, isDead: true),
    Case(
      testDescription: "21003 twice at once for what was valid once", kind: .verdict, failures: 1, days: 0,
      isRepeated: true, wasValidated: true, isDead: false),
    Case(
      testDescription: "21003 for a day for what was valid once", kind: .verdict, failures: 1, days: 1,
      isRepeated: true, wasValidated: true, isDead: true),
    Case(
      testDescription: "21003 twice at once after a day of something else, for what was valid once",
      kind: .verdict, failures: 5, days: 1, isRepeated: true, sameHours: 0, wasValidated: true, isDead: false),
    Case(
      testDescription: "21003 for two hours after a day of something else", kind: .verdict, failures: 5,
      days: 1, isRepeated: true, sameHours: 2, wasValidated: true, isDead: true),
    Case(
      testDescription: "21003 for everybody, for an hour after three days of something else", kind: .verdict,
      failures: 6, days: 3, isRepeated: true, sameHours: 1, isBurst: true, isDead: false),
    Case(
      testDescription: "21002 once after days of something else, in Apple's trouble", kind: .malformed,
      failures: 9, days: 4, isBurst: true, isDead: false),
    Case(testDescription: "21010 once", kind: .gone, isDead: false),
    Case(testDescription: "21010 twice", kind: .gone, failures: 1, days: 0, isRepeated: true, isDead: true),
    Case(
      testDescription: "21002 four times", kind: .malformed, failures: 3, days: 0, isRepeated: true,
      isDead: false),
    Case(
      testDescription: "21002 five times", kind: .malformed, failures: 4, days: 0, isRepeated: true,
      isDead: true),
    Case(
      testDescription: "21002 five times in Apple's trouble", kind: .malformed, failures: 4, days: 0,
      isRepeated: true, isBurst: true, isDead: false),
    Case(
      testDescription: "21002 five times for what was valid once", kind: .malformed, failures: 4, days: 1,
      isRepeated: true, wasValidated: true, isDead: false),
    Case(
      testDescription: "21002 for days for what was valid once", kind: .malformed, failures: 9, days: 3,
      isRepeated: true, wasValidated: true, isDead: true),
    Case(
      testDescription: "nine passing failures in a week", kind: .passing, failures: 8, days: 7, isDead: false),
    Case(
      testDescription: "ten passing failures in a week", kind: .passing, failures: 9, days: 7, isDead: true),
    Case(
      testDescription: "ten passing failures in a day", kind: .passing, failures: 9, days: 1, isDead: false),
    Case(
      testDescription: "ten passing failures in a week's outage", kind: .passing, failures: 9, days: 7,
      isBurst: true, isDead: false),
    Case(
      testDescription: "ten answers about others in a week", kind: .puzzling, failures: 9, days: 7,
      isDead: true),
  ]

  @Test(arguments: cases) func givesUpOnlyAfterItsLimits(_ one: Case) {
    let now = CannedAnswer.purchase
    let failing = FailedAttempt(one.kind, "what went wrong")
    var history = FailureHistory()
    history.failures = one.failures
    history.since = one.days.map { now - $0 * Milliseconds.day }
    history.lastReason = one.isRepeated ? "what went wrong" : "something else"
    history.sameSince = one.sameHours.map { now - $0 * Milliseconds.hour } ?? history.since
    history.wasValidated = one.wasValidated
    #expect(
      GiveUpPolicy.standard.isExhausted(by: failing, after: history, isBurst: one.isBurst, at: now)
        == one.isDead)
  }
}
