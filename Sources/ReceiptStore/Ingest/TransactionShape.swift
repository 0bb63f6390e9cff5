import GRDB
import Subscriptions

/// What is told of a transaction apart from who bought it and when.
struct TransactionShape: FetchableShape {
  var environment: StoreEnvironment
  var transaction: Transaction
  var isLagging: Bool
  /// Whether Apple signed it, and not receipts alone told of it.
  var isSigned: Bool
  var facts: DerivedFacts

  static let table = "transaction_shapes"
  static let columns = [
    "environment", "product_id", "subscription_group_identifier", "quantity", "cancellation_reason",
    "is_trial_period",
    "is_in_intro_offer_period", "is_upgraded", "in_app_ownership_type", "promotional_offer_id",
    "offer_code_ref_name", "is_lagging", "kind", "price_micros", "currency", "monthly_micros",
    "refund_reason",
    "upgraded", "upgrade_confirmed", "upgrade_direction", "successor_product_id", "outcome", "period",
    "change_direction",
    "arrival", "is_past_first_year", "changed_from_product_id", "bundle_id", "is_signed", "is_price_signed",
    "storefront",
  ]

  func bind(to values: inout some ColumnValues) {
    values.bind(environment.rawValue)
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
    values.bind(facts.app)
    values.bind(isSigned)
    values.bind(facts.isPriceSigned)
    values.bind(facts.storefront)
  }
}

extension TransactionShape {
  /// With no one's ids and dates.
  init(_ row: FetchedRow) {
    environment = StoreEnvironment(row[0] as String)
    transaction = Transaction(
      transactionID: TransactionID(""), originalTransactionID: OriginalTransactionID(""), productID: row[1],
      purchaseDate: .distantPast)
    transaction.subscriptionGroupIdentifier = row[2]
    transaction.quantity = row[3]
    transaction.cancellationReason = row[4]
    transaction.isTrialPeriod = row[5]
    transaction.isInIntroOfferPeriod = row[6]
    transaction.isUpgraded = row[7]
    transaction.inAppOwnershipType = OwnershipType(row[8] as String)
    transaction.promotionalOfferID = row[9]
    transaction.offerCodeRefName = row[10]
    isLagging = row[11]
    isSigned = row[28]
    facts = DerivedFacts()
    facts.kind = row[12]
    facts.priceMicros = row[13]
    facts.currency = row[14]
    facts.monthlyMicros = row[15]
    facts.refundReason = row[16]
    facts.upgraded = row[17]
    facts.upgradeConfirmed = row[18]
    facts.upgradeDirection = row[19]
    facts.successorProductID = row[20]
    facts.outcome = row[21]
    facts.period = row[22]
    facts.changeDirection = row[23]
    facts.arrival = row[24]
    facts.isPastFirstYear = row[25]
    facts.changedFromProductID = row[26]
    facts.app = row[27]
    facts.isPriceSigned = row[29]
    facts.storefront = row[30]
  }
}
