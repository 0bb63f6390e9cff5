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

  @Test(
    arguments: [
      ("voluntary", [("VOLUNTARY", 31)], nil, true, .intent(.customerCancelled)),
      ("billing", [("BILLING_RETRY", 31)], nil, true, .intent(.billingError)),
      ("price", [("PRICE_INCREASE", 31)], nil, true, .intent(.customerDidNotConsentToPriceIncrease)),
      ("not for sale", [("PRODUCT_NOT_FOR_SALE", 31)], nil, true, .intent(.productNotAvailable)),
      ("a subtype of later years", [("NEW_OF_2031", 31)], nil, true, .unknown),
      ("no subtype", [(nil, 31)], nil, true, .unknown),
      ("the newest", [("VOLUNTARY", 31), ("BILLING_RETRY", 32)], nil, true, .intent(.billingError)),
      ("the intent comes first", [("VOLUNTARY", 31)], .billingError, true, .intent(.billingError)),
      ("one of the gap before", [("VOLUNTARY", 20)], nil, true, .unknown),
      ("no snapshot", [("VOLUNTARY", 31)], nil, false, .unknown),
    ] as [(String, [(String?, Int)], ExpirationIntent?, Bool, LossReason)]) func reasonsBySubtype(
      _ name: String, _ subtypes: [(String?, Int)], _ intent: ExpirationIntent?, _ hasSnapshot: Bool,
      _ reason: LossReason
    ) throws
  {
    let infos =
      hasSnapshot
      ? [RenewalObservation.make(at: day(31), .make(autoRenew: false, intent: intent))] : []
    var chain = Chain.make([monthly("1", 0, 30)], infos: infos, validated: day(40))
    chain.notifications = subtypes.map { notice(.expired, $0.0, at: day($0.1), row: "1") }
    let line = try chain.line()
    #expect(line.timeline.position(at: day(35))?.reason == reason)
    let churn = EvidenceLedger.make([chain]).figures(.churn, at: day(35))
    #expect(churn["voluntary"] == (reason == .intent(.customerCancelled) ? 1 : 0))
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
  @Test func aRecoveryOverridesAnEarlierCancellation() throws {
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
