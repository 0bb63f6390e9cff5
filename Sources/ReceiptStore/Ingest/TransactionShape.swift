import GRDB
import Subscriptions

/// Part of a transaction that is independent of buyer and date.
struct TransactionShape: FetchableShape {
  var environment: StoreEnvironment
  var transaction: Transaction
  var isLagging: Bool
  /// Whether signed data shows the transaction, not only receipts.
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
  init(_ row: BoundStatement.Columns) {
    environment = StoreEnvironment(row.text(0) ?? "")
    transaction = Transaction(
      transactionID: TransactionID(""), originalTransactionID: OriginalTransactionID(""),
      productID: ProductID(row.text(1) ?? ""), purchaseDate: .distantPast)
    transaction.subscriptionGroupIdentifier = row.text(2)
    transaction.quantity = Int64(row.count(3))
    transaction.cancellationReason = row.text(4)
    transaction.isTrialPeriod = row.isTrue(5)
    transaction.isInIntroOfferPeriod = row.isTrue(6)
    transaction.isUpgraded = row.isTrue(7)
    transaction.inAppOwnershipType = OwnershipType(row.text(8) ?? "")
    transaction.promotionalOfferID = row.text(9)
    transaction.offerCodeRefName = row.text(10)
    isLagging = row.isTrue(11)
    isSigned = row.isTrue(28)
    facts = DerivedFacts()
    facts.kind = row.value(12)
    facts.priceMicros = row.amount(13)
    facts.currency = row.text(14)
    facts.monthlyMicros = row.amount(15, in: StoredNumber.sums(of: 1))
    facts.refundReason = row.text(16)
    facts.upgraded = row.flag(17)
    facts.upgradeConfirmed = row.flag(18)
    facts.upgradeDirection = row.value(19)
    facts.successorProductID = row.text(20)
    facts.outcome = row.value(21)
    facts.period = row.text(22)
    facts.changeDirection = row.value(23)
    facts.arrival = row.value(24)
    facts.isPastFirstYear = row.flag(25)
    facts.changedFromProductID = row.text(26)
    facts.app = row.text(27)
    facts.isPriceSigned = row.flag(29)
    facts.storefront = row.text(30)
  }
}

/// Encoding of Apple's ids in tables: decimal ids as numbers, which take half the space, others as text.
enum StoredID {
  /// Returns the number of a decimal id, or `nil` if the number would not give the same text again.
  static func number(_ id: String) -> Int64? {
    let digits = id.utf8
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      let (tens, isTooLong) = number.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      guard !isTooLong, !isTooLarge else { return nil }
      number = sum
    }
    return number
  }

  static func value(_ id: String) -> DatabaseValue { number(id)?.databaseValue ?? id.databaseValue }
}

extension BoundStatement {
  mutating func bind(id: String?) {
    if let number = id.flatMap(StoredID.number) { bind(number) } else { bind(id) }
  }
}
