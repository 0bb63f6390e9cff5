import Subscriptions
import TestSupport
import Testing

/// Whole timelines of lines, by the rules of METRICS §3.
@Suite struct TimelineTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    var rows = [monthly("1", 0, 30)]
    /// Renewal info of each validation by day; `nil` if it had none.
    var seen: [(Int, RenewalInfo?)] = []
    var goneAt: Int?
    /// First day and state of each span; then the row if there are several, auto-renew, the reason, and
    /// `unseen` if no snapshot is in its gap.
    let spans: [String]
    var testDescription: String { name }
  }

  private static let on = RenewalInfo.make()
  private static let off = RenewalInfo.make(autoRenew: false)
  private static let cancelled = RenewalInfo.make(autoRenew: false, intent: .customerCancelled, retry: false)
  private static let failing = RenewalInfo.make(intent: .billingError, retry: true)
  private static func grace(_ end: Int) -> RenewalInfo {
    .make(intent: .billingError, retry: true, grace: day(end))
  }

  static let cases = [
    Case(
      name: "a renewal in time", rows: [monthly("1", 0, 30), monthly("2", 30, 60)], seen: [(31, on)],
      spans: [
        "0 active 1", "30 active 2", "31 active 2 on", "60 overdue 2 on unseen", "120 overdue 2 on",
      ]),
    Case(
      name: "a row that is dead from its purchase neither bridges nor ends the gap",
      rows: [monthly("1", 0, 30), refunded(monthly("2", 31, 61), at: day(31))], seen: [(30, cancelled)],
      spans: ["0 active 1", "30 expired 1 off intent 1", "31 revoked 2 off refunded"]),
    Case(
      name: "auto-renew turned off and on", seen: [(5, on), (10, off), (20, on)],
      spans: [
        "0 active", "5 active on", "10 active off", "20 active on", "30 overdue on unseen", "90 overdue on",
      ]),
    Case(
      name: "a later info without a grace date takes nothing back", seen: [(31, grace(46)), (40, failing)],
      spans: ["0 active", "30 grace", "31 grace on", "46 billing_retry on", "90 expired on intent 2"]),
    Case(
      name: "an old grace date", seen: [(31, grace(20))],
      spans: ["0 active", "30 billing_retry", "31 billing_retry on", "90 expired on intent 2"]),
    Case(
      name: "status 21010 ends it at its expiry", seen: [(31, grace(46))], goneAt: 50,
      spans: ["0 active", "30 expired unknown", "31 expired on unknown"]),
    Case(
      name: "an answer after 21010", seen: [(31, grace(46)), (60, cancelled)], goneAt: 50,
      spans: ["0 active", "30 grace", "31 grace on", "46 billing_retry on", "60 expired off intent 1"]),
    Case(
      name: "upgraded away, and nothing dates it", rows: [upgraded(monthly("1", 0, 30))],
      seen: [(31, cancelled)],
      spans: ["0 expired intent 1", "31 expired off intent 1"]),
    Case(
      name: "dead before it ends, and not validated", rows: [upgraded(monthly("1", 0, 30))],
      spans: ["0 expired unknown"]),
  ]

  @Test(arguments: cases) func tilesTheLifeOfALine(_ item: Case) throws {
    let chain = Chain.make(
      item.rows, seen: item.seen.map { (day($0), $1) }, goneAt: item.goneAt.map { day($0) })
    let line = try chain.line()
    let spans = line.timeline.spans
    // Other facts than the position also end spans.
    let positions = spans.indices.filter { $0 == 0 || spans[$0 - 1].position != spans[$0].position }
    #expect(positions.map { line.text(of: spans[$0]) } == item.spans)
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.until == $1.from })
    #expect(spans.last?.until == .distantFuture)
  }
}

extension Chain {
  /// Chain with these validations, whose renewal infos are dated by the first validation that showed them.
  static func make(_ rows: [Transaction], seen: [(Instant, RenewalInfo?)], goneAt: Instant? = nil) -> Chain {
    var chain = Chain.make(rows, validated: seen.last?.0)
    chain.validations = seen.map(\.0)
    var before: (at: Instant, info: RenewalInfo)?
    for case (let at, let info?) in seen {
      chain.renewalValidations.append(at)
      if before?.info != info {
        chain.renewals.append(RenewalObservation(info: info, observedAfter: before?.at, observedAt: at))
      }
      before = (at, info)
    }
    chain.renewalsConfirmedAt = before?.at
    chain.goneAt = goneAt
    return chain
  }
}

extension Line {
  fileprivate func text(of span: Span) -> String {
    let position = span.position
    let since = (span.from - day(0)) / Milliseconds.day
    return
      ([String(since), position.state.rawValue] + (rows.count > 1 ? [rows[position.row].id.rawValue] : [])
      + [position.autoRenew.map { $0 ? "on" : "off" }, position.reason.map(Self.text)].compactMap(\.self)
      + (position.isUnseen ? ["unseen"] : []))
      .joined(separator: " ")
  }

  private static func text(_ reason: LossReason) -> String {
    switch reason {
    case .intent(let intent): "intent \(intent.rawValue)"
    case .unknown: "unknown"
    case .refunded: "refunded"
    }
  }
}
