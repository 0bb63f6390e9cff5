import Subscriptions

private let wallClock =
  "it adds an expiry by its own wall clock; at the answer's time the period had six days left"
private let oneEvent =
  "an upgrade is one event, a change of product that starts the new period, where theirs are two"
private let delivery =
  "it counts what one delivered notification makes of a status; ours needs an earlier answer to compare with"
private let early = "up to 24 h after the end is a renewal: METRICS §4, Return after a gap"
private let late = "it started 33 min more than 24 h after the trial's end: METRICS §4 calls that late"
private let refunded = "a row that reaches further was refunded: METRICS §3, rule 2"
private let lapse = "the lapse between the two periods is an event of its own"
private let attributes =
  "it counts its publications of a user's attributes too, which are no events of a line"

/// Their IOSAirlyticsPurchaseEventTest and IOSPublishedSubscriptionEventsTest, against our feed and figures.
let airlyticsEventTests = [
  AirlyticsTest(
    "testActiveRenewablePurchaseWithNotificationDID_RENEW",
    [
      .differs(0, "2", "1", wallClock) { "\($0.newest)" },
      .holds(1) { $0.events.last?.effectiveAt == $0.rows.last?.purchase },
      .met(2, "false") { "\($0.verdicts.first?.autoRenew ?? true)" },
      .holds(3) { $0.rows.last?.price?.amount.micros == 990_000 },
      .holds(4) { $0.events.last?.type == .renewal },
      .holds(5) { $0.verdicts.first?.accessUntil == $0.rows.last?.expires },
    ]),
  AirlyticsTest(
    "testNotActiveRenewablePurchaseWithAppEvent",
    [
      .differs(0, "10", "9", wallClock) { "\($0.events.count)" },
      .holds(1) {
        $0.events.first?.type == .initialPurchase && $0.events.first?.effectiveAt == $0.rows.first?.purchase
      },
      .fails(2, wallClock) { $0.count(.expiration) == 1 }, .holds(3) { $0.count(.renewal) == 8 },
    ]),
  AirlyticsTest(
    "testPurchaseNotificationRenewAfterTRIAL_START",
    [.met(0, "1") { "\($0.newest)" }, .holds(1) { $0.rows.first?.outcome == .converted }]),
  AirlyticsTest("testPurchaseAppRenewsRevenueCalc", [.met(0, "1") { "\($0.newest)" }]),
  AirlyticsTest(
    "testPurchaseNotificationMissingDID_RENEW",
    [.met(0, "1") { "\($0.newest)" }, .holds(1) { $0.events.last?.type == .renewal }]),
  AirlyticsTest(
    "testPurchaseAppRenewAfterTRIAL_START",
    [
      .met(0, "2") { "\($0.events.count)" }, .holds(1) { $0.rows.first?.kind == .trial },
      .holds(2) { $0.rows.first?.outcome == .converted },
    ]),
  AirlyticsTest(
    "testPurchaseFromNotificationCANCEL",
    [
      .met(0, "1") { "\($0.count(.cancellation))" },
      .holds(1) { $0.events.last?.effectiveAt == $0.rows.last?.refundedAt },
    ]),
  AirlyticsTest(
    "afterTrialShouldBeTrialConvertedEventNotification",
    [.met(0, "1") { "\($0.newest)" }, .holds(1) { $0.rows.first?.outcome == .converted }]),
  AirlyticsTest(
    "afterTrialShouldBeTrialConvertedEvent",
    [
      .met(0, "2") { "\($0.events.count)" }, .holds(1) { $0.rows.first?.outcome == .converted },
      .holds(2) { $0.rows.first?.kind == .trial },
    ]),
  AirlyticsTest("testCancelledAfterTrialShouldHaveNegativeRevenue", refundOfAPro),
  AirlyticsTest("testCancelledAfterRecoveredShouldHaveNegativeRevenue", refundOfAPro),
  AirlyticsTest(
    "testPurchaseFromAppUPGRADE2",
    AirlyticsClaim.outside(
      0, why: "its events carry money; ours name the transaction, whose price the panels add")),
  AirlyticsTest(
    "testPurchaseFromAppUPGRADERevenuePrecision",
    [
      .differs(0, "3", "2", oneEvent) { "\($0.events.count)" },
      .differs(
        1, "-939060", "-966858",
        "its share of the year has three digits and is of a nominal year; exactly 3,060,496 s of 31,622,400 s were left"
      ) { "\(-($0.rows.first?.upgrade?.proratedRefund?.micros ?? 0))" },
      .holds(2) { $0.events.first?.type == .initialPurchase },
      .holds(3) { $0.rows.first?.upgrade?.isConfirmed == true },
    ]),
  AirlyticsTest(
    "testPurchaseFromAppEXPIRED",
    [
      .differs(0, "4", "3", oneEvent) { "\($0.events.count)" },
      .holds(1) { $0.events.first?.type == .initialPurchase },
    ]),
  AirlyticsTest(
    "testPurchaseFromNotificationEXPIRED",
    [
      .differs(0, "2", "1", delivery) { "\($0.count(.expiration))" },
      .holds(1) {
        $0.verdicts.first?.state == .expired && $0.events.last?.effectiveAt == $0.rows.last?.expires
      },
    ]),
  AirlyticsTest(
    "testPurchaseFromNotificationDID_FAIL_TO_RENEW",
    [
      .differs(0, "2", "1", refunded) { fixture in
        "\(fixture.lines.flatMap(\.events).count { $0.type == .billingIssue || $0.type == .expiration })"
      },
      .fails(1, refunded) { $0.verdicts.first?.state == .billingRetry },
      .holds(2) { $0.rows.last?.outcome == .unconverted },
    ]),
  AirlyticsTest("testPurchaseFromNotificationRecoveryShouldBeFollowedByRenewed", recoveryWithinADay),
  AirlyticsTest("testPurchaseFromNotificationRecoveryShouldBeFollowedByTrialConverted", recoveryWithinADay),
  AirlyticsTest("tempTest", [.met(0, "3") { "\($0.events.count)" }]),
  AirlyticsTest(
    "testPurchaseUpgradeFromAndUpgradedToShouldBePurchaseId",
    [
      .differs(0, "3", "2", oneEvent) { "\($0.events.count)" }, .number(1) { $0[0].id },
      .number(2) { $0[1].id },
      .number(3) { fixture in
        fixture.rows.first { $0.id == fixture[0].upgrade?.successorID }?.transaction.webOrderLineItemID?
          .rawValue
      },
      .number(4) { fixture in
        fixture.rows.first { $0.upgrade?.successorID == fixture[1].rows.first?.id }?.transaction
          .webOrderLineItemID?.rawValue
      },
    ]),
  AirlyticsTest(
    "billingIssueFixedInTreeDaysShouldBeTrialConverted",
    [
      .met(0, "2") { "\($0.events.count)" }, .holds(1) { $0.rows.first?.kind == .trial },
      .fails(2, late) { $0.rows.first?.outcome == .converted },
      .differs(3, "2", "1", delivery) { "\($0.newest)" },
      .fails(4, "no answer between the two shows the trouble, so that nobody can tell: METRICS §4") {
        fixture in
        fixture.lines.flatMap(\.events).contains { $0.appleName.subtype == "BILLING_RECOVERY" }
      },
      .fails(5, late) { $0.rows.first?.outcome == .converted },
    ]),
  AirlyticsTest(
    "debugTrial",
    [
      .differs(
        0, "8", "6",
        "an upgrade is one event, and its three purchases that do not renew are no events of a line, but a refund is"
      ) { "\($0.events.count)" }
    ]),
  AirlyticsTest(
    "testInteractiveRenewalShouldBeTreatedAsNewPurchase",
    [
      .differs(0, "22", "21", oneEvent) { "\($0.events.count - $0.count(.expiration))" },
      .holds(1) { $0.events.last?.type != .renewal },
      .met(2, "1") { "\($0.newest)" }, .holds(3) { $0.events.last?.type != .renewal },
    ]),
  AirlyticsTest(
    "subscriptionEventsFromNewTrialPurchases",
    [
      .holds(2) { fixture in
        fixture.events.first { $0.type == .renewal }?.effectiveAt
          == fixture.verdicts.first?.current.purchase
      },
      .holds(3) { $0.events.first?.effectiveAt == $0.rows.first?.purchase },
      .differs(4, "29.0", "9990000", "its price there has lost its cents and is another than its own table's")
      {
        "\($0.rows.last?.price?.amount.micros ?? 0)"
      },
    ], AirlyticsClaim.outside(0, 1, why: attributes)),
  AirlyticsTest(
    "subscriptionTrialRevenueShouldBeZero",
    [.met(1, "0.0") { "\(Double($0.rows.first?.price?.amount.micros ?? -1))" }],
    AirlyticsClaim.outside(0, why: attributes)),
  AirlyticsTest(
    "trialSubscriptionEventsFromNewPurchases", [.met(1, "true") { "\($0.verdicts.first?.state == .trial)" }],
    AirlyticsClaim.outside(0, why: attributes)),
  AirlyticsTest(
    "subscriptionEventsFromUpgradedPurchases",
    [
      .holds(1) { fixture in
        fixture.events.first { $0.type == .productChange }?.effectiveAt == fixture.rows.last?.purchase
      },
      .differs(
        2, "-258749", "-8743231",
        "its test moves the dates; by its own the row had 27,600,255 s of 31,536,000 s left when it was upgraded"
      ) { fixture in "\(-(fixture.rows.compactMap(\.upgrade?.proratedRefund?.micros).first ?? 0))" },
      .holds(3) { $0.events.last?.newProductID == $0.rows.last?.productID },
      .met(4, "0") { _ in
        let before = AirlyticsFixture("upgraded-not-cancelled-prior-to-upgrade.json", isEventTest: true)
        return "\(before?.rows.compactMap(\.upgrade).count ?? -1)"
      },
    ], AirlyticsClaim.outside(0, why: attributes)),
  AirlyticsTest("subscriptionCanceledAfterTrialPurchases", AirlyticsClaim.outside(0, why: attributes)),
  AirlyticsTest("subscriptionNewPurchaseBug", [.time(0) { $0.events.last?.effectiveAt }]),
]

private let refundOfAPro: [AirlyticsClaim] = [
  .met(0, "1") { "\($0.count(.cancellation))" },
  .met(1, "-9990000") { fixture in
    "\(-fixture.rows.filter(\.isRefund).compactMap(\.price?.amount.micros).reduce(0, +))"
  },
]

private let recoveryWithinADay: [AirlyticsClaim] =
  [
    .differs(0, "2", "1", early) { "\($0.newest)" },
    .fails(1, early) { fixture in
      fixture.lines.flatMap(\.events).contains { $0.appleName.subtype == "BILLING_RECOVERY" }
    },
    .holds(2) { $0.events.last?.type == .renewal },
    .met(4, "9990000") { "\($0.rows.last?.price?.amount.micros ?? 0)" },
  ] + AirlyticsClaim.outside(3, why: "the money of an event that we do not have")
