import Subscriptions
import TestSupport
import Testing

@Suite struct EventTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    var infos: [RenewalObservation] = []
    var validated: Instant? = day(1)
    /// Expected events as `TYPE apple-type @day`, by effective time.
    let events: [String]
    var testDescription: String { name }
  }

  private static let first = "INITIAL_PURCHASE SUBSCRIBED/INITIAL_BUY @0 (new)"

  @Test(arguments: [
    Case(
      name: "a conversion", rows: [trial("1", 0, 7), monthly("2", 7, 37)],
      events: [
        "INITIAL_PURCHASE SUBSCRIBED/INITIAL_BUY @0 (trial_started)", "RENEWAL DID_RENEW @7 (converted)",
        "OVERDUE  @37 (to_overdue)",
      ]),
    Case(
      name: "a trial that is tried to be billed, and is paid",
      rows: [trial("1", 0, 7), monthly("2", 12, 42)],
      infos: [.make(at: day(9), .make(intent: .billingError, retry: true))], validated: day(13),
      events: [
        "INITIAL_PURCHASE SUBSCRIBED/INITIAL_BUY @0 (trial_started)",
        "BILLING_ISSUE DID_FAIL_TO_RENEW @7 BILLING_ERROR (trial_to_retry)",
        "RENEWAL DID_RENEW/BILLING_RECOVERY @12 (converted)", "OVERDUE  @42 (to_overdue)",
      ]),
    Case(
      name: "a return after a gap without validations, and none since",
      rows: [monthly("1", 0, 30), monthly("2", 35, 65)],
      events: [
        first, "OVERDUE  @30 (to_overdue)", "RESUBSCRIBE SUBSCRIBED/RESUBSCRIBE @35 UNATTRIBUTED (returned)",
        "OVERDUE  @65 (to_overdue)",
      ]),
    Case(
      name: "a recovery that a snapshot saw", rows: [monthly("1", 0, 30), monthly("2", 35, 65)],
      infos: [.make(at: day(32), .make(intent: .billingError, retry: true))], validated: day(36),
      events: [
        first, "BILLING_ISSUE DID_FAIL_TO_RENEW @30 BILLING_ERROR (to_retry)",
        "RENEWAL DID_RENEW/BILLING_RECOVERY @35 (recovered)", "OVERDUE  @65 (to_overdue)",
      ]),
    Case(
      name: "a return after more than 60 days", rows: [monthly("1", 0, 30), monthly("2", 91, 121)],
      infos: [.make(at: day(32), .make(intent: .billingError, retry: true))], validated: day(92),
      events: [
        first, "BILLING_ISSUE DID_FAIL_TO_RENEW @30 BILLING_ERROR (to_retry)",
        "EXPIRATION EXPIRED/BILLING_RETRY @90 BILLING_ERROR (lost)",
        "RESUBSCRIBE SUBSCRIBED/RESUBSCRIBE @91 (resubscribed)", "OVERDUE  @121 (to_overdue)",
      ]),
    Case(
      name: "an upgrade", rows: [upgraded(monthly("1", 0, 30)), row("yearly", "2", 12, 377)],
      events: [
        first, "PRODUCT_CHANGE DID_CHANGE_RENEWAL_PREF/UPGRADE @12 monthly>yearly (contraction)",
        "OVERDUE  @377 (to_overdue)",
      ]),
    Case(
      name: "a refund of what replaced a row that goes on",
      rows: [monthly("1", 0, 30), refunded(row("yearly", "2", 12, 377), at: day(14))], validated: day(20),
      events: [
        first, "RENEWAL DID_RENEW @12 (contraction)", "CANCELLATION REFUND @14 CUSTOMER_SUPPORT (expansion)",
        "EXPIRATION EXPIRED @30 CUSTOMER_SUPPORT (lost)",
      ]),
    Case(
      name: "a downgrade at renewal", rows: [monthly("1", 0, 30), row("weekly", "2", 30, 37)],
      events: [
        first, "PRODUCT_CHANGE DID_RENEW @30 monthly>weekly (expansion)", "OVERDUE  @37 (to_overdue)",
      ]),
    Case(
      name: "auto-renew that Apple turned off since billing failed", rows: [monthly("1", 0, 30)],
      infos: [
        .make(at: day(1), .make()),
        .make(at: day(31), .make(autoRenew: false, intent: .billingError, retry: false)),
      ], validated: day(31),
      events: [
        first, "EXPIRATION EXPIRED/BILLING_RETRY @30 BILLING_ERROR (lost)",
        "CANCELLATION DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED @31 BILLING_ERROR",
      ]),
    Case(
      name: "auto-renew that the customer turned off, seen after the end", rows: [monthly("1", 0, 30)],
      infos: [
        .make(at: day(1), .make()), .make(at: day(31), .make(autoRenew: false, intent: .customerCancelled)),
      ], validated: day(31),
      events: [
        first, "EXPIRATION EXPIRED/VOLUNTARY @30 UNSUBSCRIBE (lost)",
        "CANCELLATION DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED @31 UNSUBSCRIBE",
      ]),
    Case(
      name: "a product that is no longer for sale: neither did the customer cancel nor did billing fail",
      rows: [monthly("1", 0, 30)],
      infos: [
        .make(at: day(1), .make()), .make(at: day(5), .make(autoRenew: false)), .make(at: day(8), .make()),
        .make(at: day(20), .make(autoRenew: false)),
        .make(at: day(31), .make(autoRenew: false, intent: .productNotAvailable, retry: true)),
      ], validated: day(31),
      events: [
        first, "CANCELLATION DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED @5 UNSUBSCRIBE",
        "UNCANCELLATION DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED @8",
        "CANCELLATION DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED @20 PRODUCT_UNAVAILABLE",
        "BILLING_ISSUE DID_FAIL_TO_RENEW @30 PRODUCT_UNAVAILABLE (to_retry)",
        "EXPIRATION EXPIRED/PRODUCT_NOT_FOR_SALE @90 PRODUCT_UNAVAILABLE (lost)",
      ]),
    Case(
      name: "an end for another reason", rows: [monthly("1", 0, 30)],
      infos: [.make(at: day(31), .make(autoRenew: false, intent: .other))], validated: day(31),
      events: [first, "EXPIRATION EXPIRED @30 OTHER (lost)"]),
    Case(
      name: "an end for a reason that Apple does not document", rows: [monthly("1", 0, 30)],
      infos: [.make(at: day(31), .make(autoRenew: false, intent: .unknown("9")))], validated: day(31),
      events: [first, "EXPIRATION EXPIRED @30 UNDOCUMENTED_9 (lost)"]),
    Case(
      name: "billing trouble with and without grace", rows: [monthly("1", 0, 30)],
      infos: [
        .make(at: day(1), .make()), .make(at: day(31), .make(retry: true, grace: day(46))),
        .make(at: day(32), .make(retry: false)), .make(at: day(33), .make(retry: true)),
      ], validated: day(33),
      events: [
        first, "BILLING_ISSUE DID_FAIL_TO_RENEW/GRACE_PERIOD @31 BILLING_ERROR",
        "BILLING_ISSUE DID_FAIL_TO_RENEW @33 BILLING_ERROR",
        "GRACE_PERIOD_EXPIRED GRACE_PERIOD_EXPIRED @46 BILLING_ERROR (to_retry)",
        "EXPIRATION EXPIRED @90 UNKNOWN (lost)",
      ]),
    Case(
      name: "a change for the next renewal", rows: [monthly("1", 0, 30)],
      infos: [.make(at: day(1), .make()), .make(at: day(5), RenewalInfo.make(next: "weekly"))],
      events: [
        first, "PRODUCT_CHANGE DID_CHANGE_RENEWAL_PREF/DOWNGRADE @5 monthly>weekly",
        "OVERDUE  @30 (to_overdue)",
      ]),
    Case(
      name: "a change that Apple has signed", rows: [monthly("1", 0, 30), row("weekly", "2", 30, 37)],
      infos: [.make(at: day(1), .make()), .make(at: day(29), .make(product: "weekly", next: "weekly"))],
      validated: day(29),
      events: [
        first, "PRODUCT_CHANGE DID_CHANGE_RENEWAL_PREF/DOWNGRADE @29 monthly>weekly",
        "PRODUCT_CHANGE DID_RENEW @30 monthly>weekly (expansion)", "OVERDUE  @37 (to_overdue)",
      ]),
    Case(
      name: "two products in one answer are not a change of each other", rows: [monthly("1", 0, 30)],
      infos: [
        .make(at: day(1), .make()), .make(at: day(1), .make(product: "coins+", autoRenew: false)),
        .make(at: day(5), .make()),
        .make(at: day(5), .make(product: "coins+", autoRenew: false, consent: "0")),
      ],
      events: [first, "OVERDUE  @30 (to_overdue)"]),
    Case(
      name: "an end for billing", rows: [monthly("1", 0, 30)],
      infos: [.make(at: day(31), .make(intent: .billingError, retry: false, grace: day(46)))],
      validated: day(95),
      events: [
        first, "EXPIRATION EXPIRED/BILLING_RETRY @46 BILLING_ERROR (lost)",
        "GRACE_PERIOD_EXPIRED GRACE_PERIOD_EXPIRED @46 BILLING_ERROR",
      ]),
    Case(
      name: "no end before a validation", rows: [monthly("1", 0, 30)], validated: day(29),
      events: [first, "OVERDUE  @30 (to_overdue)"]),
  ])
  func feeds(_ test: Case) throws {
    let line = try Chain.make(test.rows, infos: test.infos, validated: test.validated).line()
    let texts = line.events.sorted {
      ($0.effectiveAt, $0.type.rawValue) < ($1.effectiveAt, $1.type.rawValue)
    }.map(text)
    #expect(texts == test.events)
    #expect(
      try Chain.make(test.rows.reversed(), infos: test.infos, validated: test.validated).line().events
        == line.events)
  }

  /// A renewal in grace keeps the billing day, so it begins before its failure was noticed.
  @Test(arguments: [true, false]) func aRenewalFollowsTheFailureThatItEnds(_ isNotified: Bool) throws {
    let failing = RenewalInfo.make(intent: .billingError, retry: true, grace: day(46))
    var chain = Chain.make(
      [monthly("1", 0, 30), monthly("2", 30, 60)],
      infos: [.make(at: day(1), .make())] + (isNotified ? [] : [.make(at: day(31), failing)]),
      validated: day(39))
    chain.sightings[TransactionID("2")] = Sighting(first: day(39), latest: day(39))
    var notice = ServerNotification(
      type: .didFailToRenew, environment: .production, originalTransactionID: OriginalTransactionID("1"),
      observedAt: day(31))
    notice.transactionID = TransactionID("1")
    if isNotified { chain.notifications = [notice] }
    let events = try chain.line().events.sorted(by: LineEvent.newestFirst).reversed()
    #expect(events.map(\.type).prefix(3) == [.initialPurchase, .billingIssue, .renewal])
    let issue = try #require(events.first { $0.type == .billingIssue })
    #expect(issue.effectiveAt == day(30) && issue.transactionID == TransactionID("1"))
    #expect(issue.observedAt == day(31))
  }

  @Test func aReturnAfterAnUnobservedGapIsAResubscription() throws {
    var chain = Chain.make([monthly("1", 0, 30), monthly("2", 35, 65)], validated: day(36))
    chain.validations = [day(36)]
    let events = try chain.line().events.sorted(by: LineEvent.newestFirst).reversed().map(text)
    #expect(
      events == [
        Self.first, "UNATTRIBUTED  @30 (to_unattributed)",
        "RESUBSCRIBE SUBSCRIBED/RESUBSCRIBE @35 UNATTRIBUTED (returned)", "OVERDUE  @65 (to_overdue)",
      ])
  }

  /// The first row continues if its upgrade was itself upgraded away without a successor.
  @Test func theFirstRowContinuesAfterTheUpgradeEnds() throws {
    let yearly = upgraded(row("yearly", "2", 5, 370), confirmed: day(10))
    let events = try Chain.make([monthly("1", 0, 30), yearly], validated: day(12)).line().events
    let back = try #require(events.first { $0.effectiveAt == day(10) })
    #expect(back.type == .productChange && back.productID == ProductID("yearly"))
    #expect(back.newProductID == ProductID("monthly") && back.price == nil && back.flow == .expansion)
    let paid: Int128 = events.compactMap(\.price).reduce(0) { $0 + $1.micros }
    #expect(paid == 69_980_000)
  }

  @Test func aBillingFailureSeenEarlyKeepsItsTime() throws {
    let infos = [
      RenewalObservation.make(at: day(1), .make()), .make(at: day(29), .make(retry: true)),
      .make(at: day(31), .make(intent: .billingError, retry: true)),
    ]
    let issues = try Chain.make([monthly("1", 0, 30)], infos: infos, validated: day(31)).line().events
      .filter { $0.type == .billingIssue }.sorted(by: LineEvent.newestFirst)
    #expect(issues.map(\.effectiveAt) == [day(30), day(29)] && issues.map(\.flow) == [.toRetry, nil])
    #expect(issues.allSatisfy { $0.observedAt >= $0.effectiveAt })
  }

  @Test func anUpgradeIsFoundByBothProducts() throws {
    let population = EvidenceLedger.make([
      chain("1", upgraded(monthly("1", 0, 30)), row("yearly", "2", 12, 377))
    ])
    for product in ["monthly", "yearly"] {
      let question = Question(panel: .events, at: day(20), products: [ProductID(product)])
      let events = population.report(question).data
      #expect(events.events.contains { $0.type == .productChange })
      #expect(events["count"] == events.events.count)
    }
  }

  private func text(_ event: LineEvent) -> String {
    let day = (event.effectiveAt - day(0)) / Milliseconds.day
    let change = event.newProductID.map { " \(event.productID)>\($0)" } ?? ""
    return
      "\(event.type.rawValue) \(event.appleName.text) @\(day)\(event.reason.map { " " + $0 } ?? "")\(change)"
      + (event.flow.map { " (\($0.rawValue))" } ?? "")
  }

  /// An expiration's observation time is that of the first later evidence, not of the last validation.
  @Test func whenAnExpirationWasSeen() throws {
    let infos = [
      RenewalObservation.make(at: day(1), .make()), .make(at: day(31), .make(intent: .customerCancelled)),
    ]
    for validated in [day(31), day(40), day(400)] {
      let line = try Chain.make([monthly("1", 0, 30)], infos: infos, validated: validated).line()
      #expect(line.events.last { $0.type == .expiration }?.observedAt == day(31))
      let silent = try Chain.make([monthly("1", 0, 30)], validated: validated).line()
      #expect(silent.events.last { $0.type == .expiration }?.observedAt == day(30))
    }
  }

  @Test func aStateChangeIsObservedInAnInterval() throws {
    let infos = [
      RenewalObservation.make(at: day(1), .make()), .make(at: day(8), after: day(5), .make(autoRenew: false)),
    ]
    let event = try #require(
      try Chain.make([monthly("1", 0, 30)], infos: infos).line().events.first { $0.type == .cancellation })
    #expect(event.observedAfter == day(5))
    #expect(event.observedAt == day(8))
    #expect(event.effectiveAt == day(8))
  }

  @Test func aGoneAccountExpiresAtItsExpiry() throws {
    var chain = Chain.make([monthly("1", 0, 30)], validated: day(20))
    chain.goneAt = day(25)
    let event = try #require(try chain.line().events.first { $0.type == .expiration })
    #expect(event.effectiveAt == day(30))
    // The account was reported gone (21010) before the expiry.
    #expect(event.observedAt == day(30))
    #expect(event.reason == "UNKNOWN")
  }
}

@Suite struct LaterEventTests {
  private func types(_ chain: Chain) throws -> [String] {
    let lines = chain.lines(catalog: .usual)
    return (lines.flatMap(\.events.withoutOverdue) + chain.ownEvents).sorted(by: LineEvent.newestFirst)
      .reversed().map {
        "\($0.type) @\(($0.effectiveAt - day(0)) / Milliseconds.day)"
      }
  }

  private func seen(_ ends: PeriodEnds, _ from: Int, _ through: Int) -> EndsObservation {
    EndsObservation(ends: ends, from: day(from), through: day(through))
  }

  @Test func aRefundTakenBack() throws {
    let kept = monthly("1", 0, 30)
    var chain = Chain.make([kept], validated: day(20))
    chain.endsHistory[TransactionID("1")] = [
      seen(kept.ends, 1, 4), seen(refunded(kept, at: day(5)).ends, 6, 8), seen(kept.ends, 10, 20),
    ]
    #expect(try types(chain) == ["INITIAL_PURCHASE @0", "CANCELLATION @5", "REFUND_REVERSED @10"])
    let reversed = try #require(try chain.line().events.first { $0.type == .refundReversed })
    #expect(!reversed.isExact && reversed.observedAfter == day(8) && reversed.detectionLag == nil)
    #expect(reversed.price?.micros == 9_990_000)
    let refund = try #require(try chain.line().events.first { $0.type == .cancellation })
    #expect(refund.price?.micros == -9_990_000 && refund.detectionLag == 1.days)
  }

  /// The first row of an offer is a redemption, the second a renewal.
  @Test func offersRedeemedBySubscribers() throws {
    let promo = { (id: String, from: Int) in
      row("monthly", id, from, from + 30) { $0.promotionalOfferID = "SPRING" }
    }
    let chain = Chain.make(
      [monthly("1", 0, 30), promo("2", 30), promo("3", 60), monthly("4", 90, 120)], validated: day(95))
    #expect(
      try types(chain) == ["INITIAL_PURCHASE @0", "OFFER_REDEEMED @30", "RENEWAL @60", "RENEWAL @90"])
    #expect(try types(Chain.make([promo("1", 0)], validated: day(1))) == ["INITIAL_PURCHASE @0"])
  }

  @Test func lapsesOfThePast() throws {
    let left = RenewalObservation.make(at: day(31), .make(autoRenew: false, intent: .customerCancelled))
    let back = Chain.make([monthly("1", 0, 30), monthly("2", 100, 130)], infos: [left], validated: day(101))
    let gone = try #require(try back.line().events.first { $0.type == .expiration })
    #expect(gone.effectiveAt == day(30) && gone.reason == "UNSUBSCRIBE")
    #expect(try types(back) == ["INITIAL_PURCHASE @0", "EXPIRATION @30", "RESUBSCRIBE @100"])
    // Apple was still retrying, so nothing expired.
    let retried = RenewalObservation.make(at: day(31), .make(intent: .billingError, retry: true))
    let saved = Chain.make([monthly("1", 0, 30), monthly("2", 50, 80)], infos: [retried], validated: day(51))
    #expect(try types(saved) == ["INITIAL_PURCHASE @0", "BILLING_ISSUE @30", "RENEWAL @50"])
    // The refund ended it and is an event already.
    let refund = Chain.make(
      [refunded(monthly("1", 0, 30), at: day(3)), monthly("2", 50, 80)], validated: day(51))
    #expect(try types(refund) == ["INITIAL_PURCHASE @0", "CANCELLATION @3", "RESUBSCRIBE @50"])
  }

  @Test func trialsAndConversions() throws {
    let events = try Chain.make(
      [trial("1", 0, 7), monthly("2", 7, 37), monthly("3", 37, 67)], validated: day(40)
    )
    .line().events.withoutOverdue
    #expect(events.map(\.periodType) == ["TRIAL", "NORMAL", "NORMAL"])
    #expect(events.map(\.isTrialConversion) == [false, true, false])
    let late = try Chain.make([trial("1", 0, 7), monthly("2", 9, 39)], validated: day(10)).line().events
    #expect(late.allSatisfy { !$0.isTrialConversion })
  }
}
