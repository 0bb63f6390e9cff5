import Subscriptions
import TestSupport
import Testing

@Suite struct StateTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    var rows = [monthly("1", 0, 30)]
    var info: RenewalInfo?
    var validated: Instant? = day(10_000)
    let at: Instant
    let state: LineState
    let why: String
    var access: Instant = day(30)
    var intent: ExpirationIntent?
    var testDescription: String { name }
  }

  private static let failing = RenewalInfo.make(intent: .billingError, retry: true)
  private static func inGrace(until day: Instant, retry: Bool? = true) -> RenewalInfo {
    .make(intent: .billingError, retry: retry, grace: day)
  }

  static let cases: [Case] = running + unpaid + ended

  private static let running = [
    Case(
      name: "1 a trial", rows: [trial("1", 0, 30)], at: day(29), state: .trial, why: "is_trial_period = true"),
    Case(name: "1 a paid period", at: day(0), state: .active, why: "standard period"),
    Case(
      name: "1 a code period", rows: [monthly("1", 0, 30) { $0.offerCodeRefName = "F" }], at: day(1),
      state: .active, why: "code period"),
  ]

  private static let unpaid = [
    Case(
      name: "3 not validated since the expiry", validated: day(30) - 1, at: day(30), state: .overdue,
      why: "last validated"),
    Case(name: "3 never validated", validated: nil, at: day(30), state: .overdue, why: "never validated"),
    Case(
      name: "4 grace", info: inGrace(until: day(46)), at: day(40), state: .grace,
      why: "grace_period_expires_date",
      access: day(46)),
    Case(
      name: "5 from the expiry on, validated at that instant", info: failing, validated: day(30), at: day(30),
      state: .billingRetry, why: "60 d of 60 left"),
  ]

  private static let ended = [
    Case(
      name: "2 refunded", rows: [refunded(monthly("1", 0, 30), at: day(10), reason: "1")], at: day(10),
      state: .revoked, why: "cancellation_reason = 1", access: day(10)),
    Case(
      name: "2 a family member's revocation", rows: [shared(refunded(monthly("1", 0, 30), at: day(10)))],
      at: day(11),
      state: .revoked, why: "cancellation_date", access: day(10)),
    Case(
      name: "7 upgraded away without a successor", rows: [upgraded(monthly("1", 0, 30))], at: day(40),
      state: .expired, why: "upgraded away"),
    Case(name: "7 without renewal info", at: day(31), state: .expired, why: "reason unknown"),
    Case(
      name: "7 an intent that Apple has not documented", info: .make(intent: .unknown("9")), at: day(31),
      state: .expired, why: "expiration_intent = 9", intent: .unknown("9")),
  ]

  @Test(arguments: cases)
  func states(_ test: Case) throws {
    let infos = test.info.map { [RenewalObservation.make(at: day(-500), $0)] } ?? []
    let line = try Chain.make(test.rows, infos: infos, validated: test.validated).line()
    let verdict = try #require(line.verdict(at: test.at))
    #expect(verdict.state == test.state)
    #expect(verdict.why.contains(test.why), "\(verdict.why)")
    #expect(verdict.accessUntil == test.access)
    #expect(verdict.expirationIntent == test.intent)
  }

  @Test func everyStateIsHere() {
    // Unattributed needs a later row, which only timelines have.
    #expect(Set(Self.cases.map(\.state)) == Set(LineState.allCases).subtracting([.unattributed]))
  }
}
