import Subscriptions
import TestSupport
import Testing

@Suite struct DuePolicyTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let state: LineState
    let expires: Instant
    let due: Instant
    let rule: DuePolicy.Rule
    let change: @Sendable (inout DuePolicy.Prospect) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ state: LineState, _ expires: Instant, _ due: Instant, _ rule: DuePolicy.Rule,
      _ change: @escaping @Sendable (inout DuePolicy.Prospect) -> Void = { _ in }
    ) {
      (self.name, self.state, self.expires, self.due, self.rule) = (name, state, expires, due, rule)
      self.change = change
    }
  }

  private static let now = day(0)

  @Test(arguments: [
    Case("in mid-period, weekly", .active, day(20), day(7), .active),
    Case("a day before the expiry", .active, day(5), day(4), .aroundExpiry),
    Case("less than a day before it: an hour after", .active, now + 10.hours, now + 11.hours, .aroundExpiry),
    Case("a trial, daily", .trial, day(5), day(1), .trial),
    Case("overdue, hourly", .overdue, day(-10), now + 1.hours, .overdue),
    Case("grace, every six hours", .grace, day(-5), now + 6.hours, .grace),
    Case("grace, just expired", .grace, now - 2.hours, now + 4.hours, .aroundExpiry),
    Case("retry, daily", .billingRetry, day(-5), day(1), .billingRetry),
    Case("lapsed, weekly", .expired, day(-5), day(7), .lapsed),
    Case("lapsed for 90 days, monthly", .expired, day(-90), day(30), .longLapsed),
    Case("revoked", .revoked, day(-5), day(7), .lapsed),
    Case("revoked in mid-period", .revoked, day(3), day(2), .aroundExpiry),
    Case("a price increase not answered, daily", .active, day(20), day(1), .priceConsentPending) {
      $0.isPriceConsentPending = true
    },
    Case("a lapsed line has nothing to consent to", .expired, day(-5), day(7), .lapsed) {
      $0.isPriceConsentPending = true
    },
    Case("important, in its last day: hourly", .active, now + 10.hours, now + 1.hours, .important) {
      $0.isImportant = true
    },
    Case(
      "important, in its last hour: after the expiry", .active, now + 1.hours, now + 2.hours, .aroundExpiry
    ) { $0.isImportant = true },
    Case("important, long before", .active, day(20), day(7), .active) { $0.isImportant = true },
  ])
  func dueDates(_ test: Case) {
    var prospect = DuePolicy.Prospect(state: test.state, expires: test.expires)
    test.change(&prospect)
    let due = DuePolicy.standard.nextDue(for: [prospect], at: Self.now)
    #expect(due == DuePolicy.Due(at: test.due, rule: test.rule))
    #expect(due.at > Self.now)
  }

  @Test func theEarliestDueDateWins() {
    let prospects = [
      DuePolicy.Prospect(state: .active, expires: day(20)),
      DuePolicy.Prospect(state: .grace, expires: day(-5)),
    ]
    let due = DuePolicy.standard.nextDue(for: prospects, at: Self.now)
    #expect(due == DuePolicy.Due(at: Self.now + 6.hours, rule: .grace))
    #expect(DuePolicy.standard.nextDue(for: [], at: Self.now) == DuePolicy.Due(at: day(30), rule: .noLines))
  }

  @Test func hourlyChecksBeginADayBeforeTheExpiryOfAnImportantLine() {
    var policy = DuePolicy.standard
    policy.aroundExpiry = [Milliseconds.hour]
    var line = DuePolicy.Prospect(state: .active, expires: day(3))
    line.isImportant = true
    #expect(policy.nextDue(for: [line], at: Self.now) == DuePolicy.Due(at: day(2), rule: .important))
    var instant = day(2)
    var checks = 0
    while true {
      let due = policy.nextDue(for: [line], at: instant)
      guard due.rule == .important else { break }
      #expect(due.at == instant + 1.hours)
      (instant, checks) = (due.at, checks + 1)
    }
    #expect(checks == 23)
  }

  @Test(arguments: [0, 0.25, 0.999])
  func jitterShortensWaitsAndNeverComesBeforeACheckAroundAnExpiry(_ chance: Double) {
    let policy = DuePolicy.standard
    let active = policy.nextDue(
      for: [DuePolicy.Prospect(state: .active, expires: day(20))], at: Self.now, chance: chance)
    #expect(active.at == day(7) - Int64(Double(7 * Milliseconds.day) * 0.1 * chance))
    let around = policy.nextDue(
      for: [DuePolicy.Prospect(state: .active, expires: Self.now + 10.hours)], at: Self.now, chance: chance)
    #expect(around.at == Self.now + 11.hours + Int64(Double(Milliseconds.hour) * 0.1 * chance))
  }

  @Test func noDueDateExceedsTheLongestWait() {
    let policy = DuePolicy.standard
    #expect(policy.longestWait == 30 * Milliseconds.day)
    for state in LineState.allCases {
      for expires in [day(-400), day(-89), day(-1), Self.now, day(1), day(400)] {
        for chance in [0, 0.5, 0.999] {
          let prospect = DuePolicy.Prospect(state: state, expires: expires)
          let due = policy.nextDue(for: [prospect], at: Self.now, chance: chance)
          #expect(due.at > Self.now && due.at <= Self.now + policy.longestWait)
        }
      }
    }
  }

  /// Without jitter, so that the sums can be verified by hand.
  @Test func estimatesRequestsPerDay() {
    var policy = DuePolicy.standard
    policy.jitter = 0
    let costs = policy.costs(
      of: [
        DuePolicy.Stratum(.active, lines: 70, expiriesPerDay: 2),
        DuePolicy.Stratum(.priceConsentPending, lines: 5, expiriesPerDay: 0.5),
        DuePolicy.Stratum(.active, isImportant: true, lines: 10, expiriesPerDay: 1),
        DuePolicy.Stratum(.trial, lines: 4, expiriesPerDay: 1), DuePolicy.Stratum(.grace, lines: 3),
        DuePolicy.Stratum(.billingRetry, lines: 2), DuePolicy.Stratum(.lapsed, lines: 14),
        DuePolicy.Stratum(.longLapsed, lines: 60),
      ], linelessReceipts: 30)
    let expected: [DuePolicy.Cost] = [
      DuePolicy.Cost(rule: .aroundExpiry, lines: 89, requestsPerDay: 18),
      DuePolicy.Cost(rule: .important, lines: 10, requestsPerDay: 24),
      DuePolicy.Cost(rule: .trial, lines: 4, requestsPerDay: 4),
      DuePolicy.Cost(rule: .active, lines: 80, requestsPerDay: 80.0 / 7),
      DuePolicy.Cost(rule: .priceConsentPending, lines: 5, requestsPerDay: 5),
      DuePolicy.Cost(rule: .grace, lines: 3, requestsPerDay: 12),
      DuePolicy.Cost(rule: .billingRetry, lines: 2, requestsPerDay: 2),
      DuePolicy.Cost(rule: .lapsed, lines: 14, requestsPerDay: 2),
      DuePolicy.Cost(rule: .longLapsed, lines: 60, requestsPerDay: 2),
      DuePolicy.Cost(rule: .noLines, lines: 30, requestsPerDay: 1),
    ]
    #expect(costs.lines == 168, "each once, and no receipt without one")
    #expect(costs.map(\.rule) == expected.map(\.rule))
    #expect(costs.map(\.lines) == expected.map(\.lines))
    for (cost, expected) in zip(costs, expected) {
      #expect(abs(cost.requestsPerDay - expected.requestsPerDay) < 1e-9, "\(expected.rule)")
    }
  }
}
