import Subscriptions
import TestSupport
import Testing

/// METRICS §4, Return after a gap.
@Suite struct ArrivalTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    var infos: [RenewalObservation] = []
    var confirmed: Instant?
    let arrivals: [Arrival]
    var testDescription: String { name }
  }

  private static let trouble = RenewalInfo.make(retry: true)

  private static func after(
    gap: Int64, seeing info: RenewalObservation? = nil, _ arrival: Arrival, _ name: String
  ) -> Case {
    let second = Transaction.make("2", purchase: day(30) + gap, expires: day(30) + gap + 30.days)
    return Case(
      name: name, rows: [monthly("1", 0, 30), second], infos: info.map { [$0] } ?? [],
      arrivals: [.initial, arrival])
  }

  @Test(arguments: [
    after(gap: 0, .renewal, "at once"), after(gap: -6.hours, .renewal, "ahead of time"),
    after(gap: 1.days, .renewal, "after 24 h"), after(gap: 1.days + 1, .unattributed, "a millisecond more"),
    after(gap: 60.days, .unattributed, "after 60 days"),
    after(gap: 60.days + 1, .reactivation, "a millisecond more than 60 days"),
    after(gap: 20.days, seeing: .make(at: day(31), trouble), .recovery, "with a snapshot of billing retry"),
    after(
      gap: 20.days, seeing: .make(at: day(31), .make(intent: .billingError)), .recovery,
      "with a snapshot of intent 2"),
    after(
      gap: 20.days, seeing: .make(at: day(31), .make(intent: .customerCancelled)), .unattributed,
      "with intent 1"),
    after(
      gap: 20.days, seeing: .make(at: day(50), trouble), .unattributed,
      "with a snapshot of the day it came back"),
    after(gap: 61.days, seeing: .make(at: day(31), trouble), .reactivation, "too late for a recovery"),
    after(gap: 12.hours, seeing: .make(at: day(30) + 1, trouble), .renewal, "a renewal needs no snapshot"),
    Case(
      name: "a snapshot from before the gap that a validation in it showed again",
      rows: [monthly("1", 0, 30), monthly("2", 50, 80)],
      infos: [
        .make(at: day(29), trouble), .make(at: day(51), after: day(40), .make(retry: false)),
      ], arrivals: [.initial, .recovery]),
    Case(
      name: "a snapshot from before the gap that nobody saw again",
      rows: [monthly("1", 0, 30), monthly("2", 50, 80)],
      infos: [
        .make(at: day(29), trouble), .make(at: day(51), after: day(29), .make(retry: false)),
      ], arrivals: [.initial, .unattributed]),
    Case(
      name: "a gap begins where the refund ended the service",
      rows: [refunded(monthly("1", 0, 30), at: day(2)), monthly("2", 30, 60)],
      arrivals: [.initial, .unattributed]),
    Case(
      name: "the longest of what was before counts",
      rows: [row("yearly", "1", 0, 365), monthly("2", 20, 50), monthly("3", 366, 396)],
      arrivals: [.initial, .renewal, .renewal]),
  ])
  func arrivals(_ test: Case) throws {
    var chain = Chain.make(test.rows, infos: test.infos)
    chain.renewalsConfirmedAt = test.confirmed
    #expect(try chain.line().rows.map(\.arrival) == test.arrivals)
    chain.transactions.reverse()
    #expect(try chain.line().rows.map(\.arrival) == test.arrivals)
  }
}
