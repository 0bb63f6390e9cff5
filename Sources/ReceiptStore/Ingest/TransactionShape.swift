import Subscriptions

/// Columns of a transaction that do not depend on the buyer or on dates.
struct TransactionShape: StoredRow {
  var environment = StoreEnvironment.production
  var transaction = Transaction(
    transactionID: TransactionID(""), originalTransactionID: OriginalTransactionID(""),
    productID: ProductID(""), purchaseDate: .distantPast)
  var isLagging = false
  /// Whether signed data contains the transaction; otherwise, only receipts do.
  var isSigned = false
  var facts = DerivedFacts()

  static let sql = RowSQL(Self(), "transaction_shapes")

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("environment", &environment)
    columns.map("product_id", &transaction.productID)
    columns.map("subscription_group_identifier", &transaction.subscriptionGroupIdentifier)
    columns.map("quantity", &transaction.quantity)
    columns.map("cancellation_reason", &transaction.cancellationReason)
    columns.map("is_trial_period", &transaction.isTrialPeriod)
    columns.map("is_in_intro_offer_period", &transaction.isInIntroOfferPeriod)
    columns.map("is_upgraded", &transaction.isUpgraded)
    var ownership = transaction.inAppOwnershipType.rawValue
    columns.map("in_app_ownership_type", &ownership)
    transaction.inAppOwnershipType = OwnershipType(ownership)
    columns.map("promotional_offer_id", &transaction.promotionalOfferID)
    columns.map("offer_code_ref_name", &transaction.offerCodeRefName)
    columns.map("is_lagging", &isLagging)
    columns.map("kind", &facts.kind)
    columns.map(amount: "price_micros", &facts.priceMicros)
    columns.map("currency", &facts.currency)
    columns.map("monthly_micros", &facts.monthlyMicros, in: StoredNumber.sums(of: 1))
    columns.map("refund_reason", &facts.refundReason)
    columns.map("upgraded", &facts.upgraded)
    columns.map("upgrade_confirmed", &facts.upgradeConfirmed)
    columns.map("upgrade_direction", &facts.upgradeDirection)
    columns.map("successor_product_id", &facts.successorProductID)
    columns.map("outcome", &facts.outcome)
    columns.map("period", &facts.period)
    columns.map("change_direction", &facts.changeDirection)
    columns.map("arrival", &facts.arrival)
    columns.map("is_past_first_year", &facts.isPastFirstYear)
    columns.map("changed_from_product_id", &facts.changedFromProductID)
    columns.map("bundle_id", &facts.app)
    columns.map("is_signed", &isSigned)
    columns.map("is_price_signed", &facts.isPriceSigned)
    columns.map("storefront", &facts.storefront)
  }
}
