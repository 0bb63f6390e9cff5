import Subscriptions

/// What is told of a transaction apart from who bought it and when.
struct TransactionShape: StoredShape {
  var transaction: Transaction
  var isLagging: Bool
  var facts: DerivedFacts

  static let table = "transaction_shapes"
  static let columns = [
    "product_id", "subscription_group_identifier", "quantity", "cancellation_reason", "is_trial_period",
    "is_in_intro_offer_period", "is_upgraded", "in_app_ownership_type", "promotional_offer_id",
    "offer_code_ref_name", "is_lagging", "kind", "price_micros", "currency", "monthly_micros",
    "refund_reason",
    "upgraded", "upgrade_confirmed", "upgrade_direction", "successor_product_id", "outcome", "period",
    "change_direction",
    "arrival", "is_past_first_year", "changed_from_product_id",
  ]

  func tell(_ values: inout some ColumnValues) {
    values.bind(transaction.productID)
    values.bind(transaction.subscriptionGroupIdentifier)
    values.bind(transaction.quantity)
    values.bind(transaction.cancellationReason)
    values.bind(transaction.isTrialPeriod)
    values.bind(transaction.isInIntroOfferPeriod)
    values.bind(transaction.isUpgraded)
    values.bind(transaction.inAppOwnershipType.rawValue)
    values.bind(transaction.promotionalOfferID)
    values.bind(transaction.offerCodeRefName)
    values.bind(isLagging)
    values.bind(facts.kind)
    values.bind(facts.priceMicros)
    values.bind(facts.currency)
    values.bind(facts.monthlyMicros)
    values.bind(facts.refundReason)
    values.bind(facts.upgraded)
    values.bind(facts.upgradeConfirmed)
    values.bind(facts.upgradeDirection)
    values.bind(facts.successorProductID)
    values.bind(facts.outcome)
    values.bind(facts.period)
    values.bind(facts.changeDirection)
    values.bind(facts.arrival)
    values.bind(facts.isPastFirstYear)
    values.bind(facts.changedFromProductID)
  }
}
