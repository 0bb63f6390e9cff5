import Subscriptions
import TestSupport
import Testing

/// Effect of version 2 notifications after an expiry: METRICS §3.
@Suite struct NotifiedGapTests {
  private func notice(
    _ type: NotificationType, _ subtype: String?, at t: Instant, row: String
  ) -> ServerNotification {
    var notice = ServerNotification(
      type: type, environment: .production, originalTransactionID: OriginalTransactionID("1"), observedAt: t)
    (notice.subtype, notice.isSigned, notice.transactionID) = (subtype, true, TransactionID(row))
    return notice
  }

  struct Reason: CustomTestStringConvertible, Sendable {
    let name: String
    var subtypes: [(subtype: String?, day: Int)]
    /// Intent in the snapshot of day 31; `nil` if it has none.
    var intent: ExpirationIntent?
    var hasSnapshot = true
    let reason: LossReason
    var testDescription: String { name }
  }

  @Test(arguments: [
    Reason(name: "voluntary", subtypes: [("VOLUNTARY", 31)], reason: .intent(.customerCancelled)),
    Reason(name: "billing", subtypes: [("BILLING_RETRY", 31)], reason: .intent(.billingError)),
    Reason(
      name: "price", subtypes: [("PRICE_INCREASE", 31)],
      reason: .intent(.customerDidNotConsentToPriceIncrease)),
    Reason(
      name: "not for sale", subtypes: [("PRODUCT_NOT_FOR_SALE", 31)], reason: .intent(.productNotAvailable)),
    Reason(name: "a subtype of later years", subtypes: [("NEW_OF_2031", 31)], reason: .unknown),
    Reason(name: "no subtype", subtypes: [(nil, 31)], reason: .unknown),
    Reason(
      name: "the newest", subtypes: [("VOLUNTARY", 31), ("BILLING_RETRY", 32)], reason: .intent(.billingError)
    ),
    Reason(
      name: "the intent comes first", subtypes: [("VOLUNTARY", 31)], intent: .billingError,
      reason: .intent(.billingError)),
    Reason(name: "one of the gap before", subtypes: [("VOLUNTARY", 20)], reason: .unknown),
    Reason(name: "no snapshot", subtypes: [("VOLUNTARY", 31)], hasSnapshot: false, reason: .unknown),
  ]) func reasonsBySubtype(_ test: Reason) throws {
    let infos =
      test.hasSnapshot
      ? [RenewalObservation.make(at: day(31), .make(autoRenew: false, intent: test.intent))] : []
    var chain = Chain.make([monthly("1", 0, 30)], infos: infos, validated: day(40))
    chain.notifications = test.subtypes.map { notice(.expired, $0.subtype, at: day($0.day), row: "1") }
    let line = try chain.line()
    #expect(line.timeline.position(at: day(35))?.reason == test.reason)
    let churn = EvidenceLedger.make([chain]).figures(.churn, at: day(35))
    #expect(churn["voluntary"] == (test.reason == .intent(.customerCancelled) ? 1 : 0))
  }

  @Test func aNotifiedReasonIsExplained() throws {
    var chain = Chain.make(
      [monthly("1", 0, 30)], infos: [.make(at: day(31), .make(autoRenew: false))], validated: day(40))
    chain.notifications = [notice(.expired, "VOLUNTARY", at: day(31), row: "1")]
    let why = try #require(try chain.line().verdict(at: day(35))?.why)
    #expect(why == "expired 5 d ago, notified as EXPIRED/VOLUNTARY (customer cancelled)")
  }

  /// Only VOLUNTARY means that the customer turned auto-renew off.
  @Test(
    arguments: [
      ("VOLUNTARY", "UNSUBSCRIBE"), ("BILLING_RETRY", "BILLING_ERROR"), ("PRICE_INCREASE", "PRICE_INCREASE"),
      ("PRODUCT_NOT_FOR_SALE", "PRODUCT_UNAVAILABLE"),
    ])
  func autoRenewIsOffForTheNotifiedReason(subtype: String, reason: String) throws {
    let infos = [
      RenewalObservation.make(at: day(1), .make()), .make(at: day(31), .make(autoRenew: false)),
    ]
    var chain = Chain.make([monthly("1", 0, 30)], infos: infos, validated: day(40))
    chain.notifications = [notice(.expired, subtype, at: day(31), row: "1")]
    #expect(try chain.line().events.first { $0.type == .cancellation }?.reason == reason)
  }

  /// The notification is the only evidence of a failed payment.
  @Test(
    arguments: [
      (50, "BILLING_RECOVERY", .billingRetry, .recovery, .recovered),
      (50, nil, .unattributed, .unattributed, .recovered),
      (90, "BILLING_RECOVERY", .billingRetry, .recovery, .recovered),
      (91, "BILLING_RECOVERY", .expired, .reactivation, .unrenewed),
      (31, "BILLING_RECOVERY", .active, .renewal, .renewed),
    ] as [(Int, String?, LineState, Arrival, PeriodOutcome)])
  func aRecoveryThatWasNotified(
    back: Int, subtype: String?, state: LineState, arrival: Arrival, outcome: PeriodOutcome
  ) throws {
    var chain = Chain.make([monthly("1", 0, 30), monthly("2", back, back + 30)], validated: day(back))
    chain.validations = [day(1), day(back)]
    chain.notifications = [notice(.didRenew, subtype, at: day(back), row: "2")]
    let line = try chain.line()
    for t in [day(30), day(back) - 1] { #expect(line.timeline.position(at: t)?.state == state) }
    #expect(line.timeline.position(at: day(30))?.isUnseen == [.unattributed, .expired].contains(state))
    #expect(line.rows[1].arrival == arrival && line.rows[0].outcome == outcome)
    let recovery = EvidenceLedger.make([chain]).figures(.recovery, at: day(back), days: 91)
    #expect(recovery["entered"] == (state == .billingRetry ? 1 : 0))
  }

  /// A later snapshot without retry ends the earlier one, unless a recovery notification follows.
  @Test func aRecoveryIsTheNewestWord() throws {
    let infos = [
      RenewalObservation.make(at: day(31), .make(intent: .billingError, retry: true)),
      .make(at: day(40), .make(intent: .customerCancelled, retry: false)), .make(at: day(50), .make()),
    ]
    var chain = Chain.make(
      [monthly("1", 0, 30), monthly("2", 50, 80)], infos: infos, validated: day(50))
    #expect(try chain.line().timeline.position(at: day(45))?.state == .expired)
    chain.notifications = [notice(.didRenew, "BILLING_RECOVERY", at: day(50), row: "2")]
    #expect(try chain.line().timeline.position(at: day(45))?.state == .billingRetry)
  }
}
