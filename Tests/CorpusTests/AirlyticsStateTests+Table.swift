import Subscriptions

/// The rest of their IOSAirlyticsPurchaseStateTest.
let airlyticsStateTests = [
  AirlyticsTest(
    "upgradedShouldBeCancelledProductTest",
    [
      .met(0, "true") { "\($0[0].upgrade != nil)" }, .holds(1) { $0[0].upgrade?.instant != nil },
      .holds(2) { $0[0].upgrade?.successorProductID == $0[1].product },
      .holds(3) { $0[0].upgrade?.successorID == $0[1].rows.first?.id },
    ]),
  AirlyticsTest(
    "upgradedShouldBeCancelledProductTest1",
    [.purchases(3), .holds(1) { $0.rows.compactMap(\.upgrade).allSatisfy { $0.instant != nil } }]),
  AirlyticsTest(
    "subscriptionEventsFromRepeatingPurchase",
    // Two, counted over both of its purchases.
    [.purchases(2), .met(1, "2.0") { "\(Double($0.purchases.map(\.paidPeriods).reduce(0, +)))" }]),
  AirlyticsTest("onPurchaseTheSameProductAfterTrialShouldCreateNewPurchaseRow", [.purchases(8)]),
  AirlyticsTest(
    "upgradedReferenceShouldPointToPurchaseId",
    [.purchases(2), .holds(1) { $0[0].upgrade?.successorID == $0[1].rows.first?.id }]),
  AirlyticsTest(
    "purchaseAfterTrialShouldHaveTrialStartAndTrialEndDate",
    [
      .purchases(2), .holds(1) { $0[1].trial?.expires == nil }, .holds(2) { $0[1].trial?.purchase == nil },
      .holds(3) { $0[0].trial?.expires != nil }, .holds(4) { $0[0].trial?.purchase != nil },
    ]),
  AirlyticsTest("oldMonthlyInteractiveRenewalShouldNotBeNewPurchaseIfGapIsLessThanTwoWeeks", [.purchases(1)]),
]
