import Subscriptions
import TestSupport
import Testing

@Suite struct ArrivalTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Renewal info of each validation by day; `nil` if it had none.
    var seen: [(Int, RenewalInfo?)] = []
    let arrivals: [Arrival]
    var testDescription: String { name }
  }

  private static let trouble = RenewalInfo.make(intent: .billingError, retry: true)
  private static let gaveUp = RenewalInfo.make(intent: .billingError, retry: false)
  private static let cancelled = RenewalInfo.make(autoRenew: false, intent: .customerCancelled, retry: false)

  /// Case of a row that starts `gap` after another, which ends on day 30.
  private static func after(
    gap: Int64, seen: [(Int, RenewalInfo?)] = [(200, nil)], _ arrival: Arrival, _ name: String
  ) -> Case {
    let second = Transaction.make("2", purchase: day(30) + gap, expires: day(30) + gap + 30.days)
    return Case(
      name: name, rows: [monthly("1", 0, 30), second], seen: seen, arrivals: [.initial, arrival])
  }

  @Test(arguments: [
    after(gap: 0, .renewal, "at once"), after(gap: -6.hours, .renewal, "ahead of time"),
    after(gap: 1.days, .renewal, "after 24 h"), after(gap: 1.days + 1, .unattributed, "a millisecond more"),
    after(gap: 60.days, .unattributed, "after 60 days of which nobody asked"),
    after(gap: 60.days + 1, .reactivation, "a millisecond more than that"),
    after(gap: 20.days, seen: [(31, trouble), (51, nil)], .recovery, "out of billing retry"),
    after(
      gap: 20.days, seen: [(31, trouble), (40, gaveUp), (51, nil)], .reactivation, "after Apple gave up"),
    after(gap: 20.days, seen: [(31, cancelled), (51, nil)], .reactivation, "after a cancellation"),
    after(gap: 20.days, seen: [(31, nil), (51, nil)], .reactivation, "after a validation without infos"),
    after(
      gap: 5.days, seen: [(31, .make(intent: .billingError, retry: true, grace: day(46))), (36, nil)],
      .renewal,
      "paid for in grace"),
    after(gap: 61.days, seen: [(31, trouble), (92, nil)], .reactivation, "after 60 days of billing retry"),
    after(gap: 12.hours, seen: [(30, trouble), (31, nil)], .renewal, "within a day of the end"),
    Case(
      name: "after a refund", rows: [refunded(monthly("1", 0, 30), at: day(2)), monthly("2", 30, 60)],
      seen: [(61, nil)], arrivals: [.initial, .reactivation]),
    Case(
      name: "the longest of what was before counts",
      rows: [row("yearly", "1", 0, 365), monthly("2", 20, 50), monthly("3", 366, 396)], seen: [(400, nil)],
      arrivals: [.initial, .renewal, .renewal]),
    Case(
      name: "two in the same instant", rows: [monthly("1", 0, 30), row("yearly", "2", 0, 365)],
      seen: [(1, nil)], arrivals: [.initial, .renewal]),
  ])
  func arrivals(_ test: Case) throws {
    var chain = Chain.make(test.rows, seen: test.seen.map { (day($0), $1) })
    #expect(try chain.line().rows.map(\.arrival) == test.arrivals)
    chain.transactions.reverse()
    #expect(try chain.line().rows.map(\.arrival) == test.arrivals)
  }
}
