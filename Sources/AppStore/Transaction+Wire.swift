import Subscriptions

extension Transaction {
  /// An element of `latest_receipt_info` or `in_app`: *App Store Receipts › responseBody.Latest_receipt_info*.
  init(wire values: JSONObject) throws(Misread) {
    let id = try values.requiredText(.transactionID)
    guard let purchase = try values.instant(.purchaseDateMilliseconds, orText: .purchaseDate) else {
      throw Misread(.missing).under(.purchaseDateMilliseconds)
    }
    self.init(
      transactionID: TransactionID(id),
      originalTransactionID: OriginalTransactionID(try values.text(.originalTransactionID) ?? id),
      productID: ProductID(try values.requiredText(.productID)), purchaseDate: purchase,
      expiresDate: try values.instant(.expiresDateMilliseconds, orText: .expiresDate))
    webOrderLineItemID = try values.text(.webOrderLineItemID).map(WebOrderLineItemID.init)
    subscriptionGroupIdentifier = try values.text(.subscriptionGroupIdentifier).map(
      SubscriptionGroupID.init)
    quantity = try values.quantity()
    originalPurchaseDate = try values.instant(
      .originalPurchaseDateMilliseconds, orText: .originalPurchaseDate)
    cancellationDate = try values.instant(.cancellationDateMilliseconds, orText: .cancellationDate)
    cancellationReason = try values.text(.cancellationReason)
    isTrialPeriod = try values.flag(.isTrialPeriod) ?? false
    isInIntroOfferPeriod = try values.flag(.isInIntroOfferPeriod) ?? false
    isUpgraded = try values.flag(.isUpgraded) ?? false
    inAppOwnershipType = OwnershipType(try values.text(.inAppOwnershipType))
    promotionalOfferID = try values.text(.promotionalOfferID)
    offerCodeRefName = try values.text(.offerCodeRefName)
    appAccountToken = try values.text(.appAccountToken)
  }
}
