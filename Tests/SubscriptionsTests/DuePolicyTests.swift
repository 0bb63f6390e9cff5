import Subscriptions
import TestSupport
import Testing

@Suite struct DuePolicyTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let state: LineState
    let expires: Instant
    let due: Instant
    var testDescription: String { name }
  }

  private static let now = day(0)

  @Test(arguments: [
    Case(name: "in mid-period, weekly", state: .active, expires: day(20), due: day(7)),
    Case(name: "a day before the expiry", state: .active, expires: day(5), due: day(4)),
    Case(
      name: "less than a day before it: an hour after", state: .active, expires: now + 10.hours,
      due: now + 11.hours),
    Case(name: "a trial, daily", state: .trial, expires: day(5), due: day(1)),
    Case(name: "overdue, hourly", state: .overdue, expires: day(-10), due: now + 1.hours),
    Case(name: "grace, every six hours", state: .grace, expires: day(-5), due: now + 6.hours),
    Case(name: "grace, just expired", state: .grace, expires: now - 2.hours, due: now + 4.hours),
    Case(name: "retry, daily", state: .billingRetry, expires: day(-5), due: day(1)),
    Case(name: "lapsed, weekly", state: .expired, expires: day(-5), due: day(7)),
    Case(name: "lapsed for 90 days, monthly", state: .expired, expires: day(-90), due: day(30)),
    Case(name: "revoked", state: .revoked, expires: day(-5), due: day(7)),
    Case(name: "revoked in mid-period", state: .revoked, expires: day(3), due: day(2)),
  ])
  func dueDates(_ test: Case) {
    let prospect = DuePolicy.Prospect(state: test.state, expires: test.expires)
    let due = DuePolicy.standard.nextDue(for: [prospect], at: Self.now)
    #expect(due == test.due)
    #expect(due > Self.now)
  }

  @Test func theEarliestWishWins() {
    let prospects = [
      DuePolicy.Prospect(state: .active, expires: day(20)),
      DuePolicy.Prospect(state: .grace, expires: day(-5)),
    ]
    #expect(DuePolicy.standard.nextDue(for: prospects, at: Self.now) == Self.now + 6.hours)
    #expect(DuePolicy.standard.nextDue(for: [], at: Self.now) == day(30))
  }
}
