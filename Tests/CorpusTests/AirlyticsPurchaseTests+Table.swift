import Subscriptions

private let oneTime = "a purchase that does not renew has no expiry and no state: METRICS §1.1"
private let lastPayment = "the last time that the customer paid by hand: METRICS has no such figure"
private let moved = "their test moves the newest expiry to its own wall clock first"
private let nextRow =
  "theirs is the purchase of the next row in the array, which is of another group; METRICS takes the successor's"

/// Their IOSAirlyticsPurchaseStateTest: sequences, their states and what they brought in.
let airlyticsPurchaseTests = [
  AirlyticsTest(
    "testCreateIOSubscriptionPurchase",
    [
      .purchases(1), .met(1, "9") { "\($0[0].paidPeriods)" },
      .met(2, "8910000") { $0[0].revenue.map(String.init) ?? "unpriced" }, .number(3) { $0[0].id },
    ]),
  AirlyticsTest(
    "testNotRenewalExpirationDateShouldBeOnePeriod",
    [
      .purchases(3), .holds(4) { $0[1].upgrade != nil }, .holds(5) { $0[2].verdict?.state == .active },
    ], AirlyticsClaim.outside(1, 2, 3, why: oneTime)),
  AirlyticsTest(
    "testUpgradingStartDateShouldBeEqualActualEndDateUpgraded",
    [
      .purchases(3), .holds(1) { $0[2].start == $0[1].rows.last?.effectiveEnd },
      .met(2, "true") { "\($0[2].isActive)" }, .met(3, "false") { "\($0[1].isActive)" },
      .holds(5) { $0[1].upgrade != nil }, .holds(6) { $0[2].verdict?.state == .active },
    ], AirlyticsClaim.outside(4, why: oneTime)),
  AirlyticsTest(
    "testRelativePeriodAndRevenueOnUpgrade",
    [
      .purchases(3), .met(1, "1") { "\($0[0].paidPeriods)" },
      .met(2, "1.047") { "\(1 + roundedUse($0[1].rows.last))" }, .met(3, "1") { "\($0[2].paidPeriods)" },
      .holds(4) { $0[2].rows.last?.price?.period == Period(12, .month) },
      .holds(5) { $0[1].rows.last.map { $0.upgrade != nil && $0.refundedAt == nil } ?? false },
      .differs(
        6, "9990000 + 469530", "10456426",
        "its share of the year has three digits: 0.047; exactly 1,472,394 s of 31,536,000 s were used"
      ) { $0[1].revenue.map(String.init) ?? "unpriced" },
    ]),
  AirlyticsTest(
    "testInteractiveRenewalShouldModifyLastPaymentAction",
    [.purchases(3), .time(1) { $0[2].start }, .time(3) { $0[0].start }],
    AirlyticsClaim.outside(2, why: lastPayment)),
  AirlyticsTest(
    "testExpirationReasonShouldBeCanceled",
    [
      .purchases(1), .met(1, "1") { $0[0].verdict?.renewal?.expirationIntent?.rawValue ?? "none" },
      .met(2, "0") { $0[0].rows.last?.transaction.cancellationReason ?? "none" },
      .holds(3) { $0[0].verdict?.state == .revoked },
    ]),
  AirlyticsTest(
    "testNonRenewableExpirationDateShouldIgnoreActual", [.purchases(2)],
    AirlyticsClaim.outside(1, why: oneTime)),
  AirlyticsTest(
    "upgradedSubscriptionShouldHaveAtLessTwoReceipts",
    [.purchases(2), .holds(1) { $0[0].upgrade?.successorProductID == $0[1].product }]),
  AirlyticsTest("calculateRevenueWithIntroPrice", [.purchases(5)]),
  AirlyticsTest(
    "twoActivePurchaseShouldBeActiveTest",
    [
      .purchases(3), .differs(1, "false", "true", moved) { "\($0[1].isActive)" },
      .met(2, "true") { "\($0[2].isActive)" },
      .differs(3, "false", "true", moved) { "\($0[1].verdict?.autoRenew ?? false)" },
      .met(4, "true") { "\($0[2].verdict?.autoRenew ?? false)" },
    ]),
  AirlyticsTest(
    "activePurchaseShouldBeRenewableTest",
    [
      .purchases(1), .met(1, "true") { "\($0[0].verdict?.autoRenew ?? false)" },
      .met(2, "3") { "\($0.count(.renewal))" },
    ]),
  AirlyticsTest(
    "lastPaymentColumnTest", [.purchases(6)], AirlyticsClaim.outside(1, 2, 3, why: lastPayment),
    AirlyticsClaim.outside(4, 5, 6, 7, why: oneTime)),
  AirlyticsTest("lastPaymentColumnTest2", [.purchases(3)]),
  AirlyticsTest(
    "purchasedStartDateShouldBeOfPurchasedProduct",
    [
      .purchases(1), .time(1) { $0[0].start }, .time(2) { $0[0].verdict?.current.purchase },
      .met(3, "false") { "\($0[0].verdict?.state == .trial)" }, .time(5) { $0[0].trial?.purchase },
      .time(6) { $0[0].trial?.expires },
    ], AirlyticsClaim.outside(4, why: lastPayment)),
  AirlyticsTest(
    "upgradedIsNotCancelledBug",
    [
      .purchases(3), .holds(1) { $0[0].upgrade?.instant != nil },
      .fails(2, nextRow) { $0[1].start == $0[0].upgrade?.instant },
      .fails(3, nextRow) { $0[1].start == $0[0].rows.last?.effectiveEnd },
      .differs(4, "8041950", "9959197", nextRow) { $0[0].revenue.map(String.init) ?? "unpriced" },
      .met(5, "39990000") { $0[1].revenue.map(String.init) ?? "unpriced" },
      .met(6, "29990000") { $0[2].revenue.map(String.init) ?? "unpriced" },
    ]),
  AirlyticsTest(
    "trialTransactionShouldHaveAlwaysZeroRevenue",
    [.purchases(1), .holds(1) { $0[0].revenue == 0 }, .met(2, "0") { "\($0[0].paidPeriods)" }]),
  AirlyticsTest(
    "trialTransactionShouldHaveStartEndDate2",
    [
      .purchases(3), .holds(1) { $0[2].trial?.expires != nil }, .holds(2) { $0[2].trial?.purchase != nil },
      .holds(3) { $0[2].start == $0[2].trial?.purchase },
      .fails(4, "a row that reaches further was refunded: METRICS §3, rule 2") {
        $0[2].verdict?.current.expires == $0[2].trial?.expires
      },
    ]),
  AirlyticsTest(
    "multiUpgradesShouldHaveCancellationDates",
    [
      .purchases(6), .holds(1) { $0.rows.compactMap(\.upgrade).allSatisfy { $0.instant != nil } },
      .holds(2) { $0.rows.filter(\.transaction.isUpgraded).count == 3 },
    ]),
]

/// What share of a period was used, to three digits.
private func roundedUse(_ row: Row?) -> Double {
  guard let row else { return 0 }
  return Double(
    roundedHalfToEven(
      Int128(row.effectiveEnd - row.purchase) * 1000, over: Int128(row.expires - row.purchase))) / 1000
}
