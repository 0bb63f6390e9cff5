import AppStore
import Subscriptions

/// An element of `latest_receipt_info` or `in_app`: *App Store Receipts › responseBody.Latest_receipt_info*.
struct WireTransaction: Decodable {
  let transaction: Transaction

  enum CodingKeys: String, CodingKey {
    case quantity
    case productID = "product_id"
    case transactionID = "transaction_id"
    case originalTransactionID = "original_transaction_id"
    case webOrderLineItemID = "web_order_line_item_id"
    case subscriptionGroupIdentifier = "subscription_group_identifier"
    case purchaseDate = "purchase_date"
    case purchaseDateMilliseconds = "purchase_date_ms"
    case originalPurchaseDate = "original_purchase_date"
    case originalPurchaseDateMilliseconds = "original_purchase_date_ms"
    case expiresDate = "expires_date"
    case expiresDateMilliseconds = "expires_date_ms"
    case cancellationDate = "cancellation_date"
    case cancellationDateMilliseconds = "cancellation_date_ms"
    case cancellationReason = "cancellation_reason"
    case isTrialPeriod = "is_trial_period"
    case isInIntroOfferPeriod = "is_in_intro_offer_period"
    case isUpgraded = "is_upgraded"
    case inAppOwnershipType = "in_app_ownership_type"
    case promotionalOfferID = "promotional_offer_id"
    case offerCodeRefName = "offer_code_ref_name"
    case appAccountToken = "app_account_token"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let id = try values.requiredText(.transactionID)
    guard let purchase = try values.instant(.purchaseDateMilliseconds, orText: .purchaseDate) else {
      throw DecodingError.keyNotFound(
        CodingKeys.purchaseDateMilliseconds,
        .init(codingPath: values.codingPath, debugDescription: "it is missing"))
    }
    var row = Transaction(
      transactionID: TransactionID(id),
      originalTransactionID: OriginalTransactionID(try values.text(.originalTransactionID) ?? id),
      productID: ProductID(try values.requiredText(.productID)), purchaseDate: purchase,
      expiresDate: try values.instant(.expiresDateMilliseconds, orText: .expiresDate))
    row.webOrderLineItemID = try values.text(.webOrderLineItemID).map(WebOrderLineItemID.init)
    row.subscriptionGroupIdentifier = try values.text(.subscriptionGroupIdentifier).map(
      SubscriptionGroupID.init)
    if let text = try values.text(.quantity) {
      guard let quantity = Int64(text), FieldLimits.quantity.contains(quantity) else {
        throw values.limit("is not a whole number from 0 to 10000", .quantity)
      }
      row.quantity = quantity
    } else {
      row.quantity = 1
    }
    row.originalPurchaseDate = try values.instant(
      .originalPurchaseDateMilliseconds, orText: .originalPurchaseDate)
    row.cancellationDate = try values.instant(.cancellationDateMilliseconds, orText: .cancellationDate)
    row.cancellationReason = try values.text(.cancellationReason)
    row.isTrialPeriod = try values.flag(.isTrialPeriod) ?? false
    row.isInIntroOfferPeriod = try values.flag(.isInIntroOfferPeriod) ?? false
    row.isUpgraded = try values.flag(.isUpgraded) ?? false
    row.inAppOwnershipType = OwnershipType(try values.text(.inAppOwnershipType))
    row.promotionalOfferID = try values.text(.promotionalOfferID)
    row.offerCodeRefName = try values.text(.offerCodeRefName)
    row.appAccountToken = try values.text(.appAccountToken)
    transaction = row
  }
}
