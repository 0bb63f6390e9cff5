import Subscriptions

/// What is signed of a purchase or renewal: *App Store Server API › JWSTransactionDecodedPayload*.
struct TransactionPayload {
  let subscriber: Subscriber
  /// As it is shown at the instant.
  let transaction: Transaction
  let isRenewal: Bool
  let signedDate: Instant

  /// Nil before the row is shown.
  init?(_ row: LifeRow, of subscriber: Subscriber, at t: Instant, signedDate: Instant) {
    guard let transaction = row.transaction(at: t) else { return nil }
    (self.subscriber, self.transaction) = (subscriber, transaction)
    (isRenewal, self.signedDate) = (row.isRenewal, signedDate)
  }

  var json: [UInt8] {
    let row = transaction
    return AppleJSONWriter.object(capacity: 1400) { writer in
      writer.member("transactionId", row.transactionID.rawValue)
      writer.member("originalTransactionId", row.originalTransactionID.rawValue)
      writer.member("webOrderLineItemId", row.webOrderLineItemID?.rawValue)
      writer.member("bundleId", subscriber.bundleID.rawValue)
      writer.member("productId", row.productID.rawValue)
      writer.member("subscriptionGroupIdentifier", row.subscriptionGroupIdentifier?.rawValue)
      writer.value("purchaseDate", row.purchaseDate)
      writer.value("originalPurchaseDate", row.originalPurchaseDate)
      writer.value("expiresDate", row.expiresDate)
      writer.value("quantity", row.quantity)
      writer.member("type", FakeCatalog.productType(of: row).rawValue)
      writer.member("appAccountToken", row.appAccountToken)
      writer.member("inAppOwnershipType", row.inAppOwnershipType.rawValue)
      writer.value("signedDate", signedDate)
      writeRevocation(&writer)
      if row.isUpgraded { writer.value("isUpgraded", true) }
      if let offer = SignedOffer(of: row) { writer.offer(offer) }
      writer.member("environment", subscriber.environment.rawValue)
      writer.member("transactionReason", reason)
      let storefront = subscriber.storefront
      writer.member("storefront", storefront.country)
      writer.member("storefrontId", storefront.id)
      if let price = subscriber.micros(of: row) {
        writer.value("price", storefront.price(ofCatalogMicros: price) * row.quantity)
        writer.member("currency", storefront.currency.rawValue)
      }
      writer.member("appTransactionId", subscriber.appTransactionID)
    }
  }

  var reason: String { isRenewal ? "RENEWAL" : "PURCHASE" }

  /// What an upgrade replaced is no refund, and nobody has seen it with a type.
  var revocationType: String? {
    guard transaction.cancellationDate != nil, !transaction.isUpgraded else { return nil }
    guard !transaction.inAppOwnershipType.isShared else { return "FAMILY_REVOKE" }
    return transaction.proratedPercentage == nil ? "REFUND_FULL" : "REFUND_PRORATED"
  }

  private func writeRevocation(_ writer: inout AppleJSONWriter) {
    guard let date = transaction.cancellationDate else { return }
    writer.value("revocationReason", transaction.cancellationReason.flatMap(Int64.init))
    writer.value("revocationDate", date)
    writer.member("revocationType", revocationType)
    if revocationType == "REFUND_PRORATED" {
      writer.value("revocationPercentage", transaction.proratedPercentage)
    }
  }
}

extension Transaction {
  /// One refund in eight gives back a part, in thousandths of a percent.
  var proratedPercentage: Int64? {
    let number = SplitMix64.mixed(UInt64(bitPattern: Int64(transactionID.rawValue) ?? 0))
    return number % 8 == 0 ? 20_000 + Int64(number >> 8 & 0xFFFF) : nil
  }
}

extension TransactionPayload {
  /// The row as it is known to whoever verified what was signed of it.
  var known: Transaction {
    var row = transaction
    row.terms = terms
    // Receipts tell a promotional offer's id with each code.
    if row.offerCodeRefName != nil { row.promotionalOfferID = nil }
    return row
  }

  private var terms: SignedTerms {
    var terms = SignedTerms(signedAt: signedDate)
    let storefront = subscriber.storefront
    if let price = subscriber.micros(of: transaction) {
      let thousandths = storefront.price(ofCatalogMicros: price) * transaction.quantity
      terms.price = Money(micros: thousandths * 1000, currency: storefront.currency)
      (terms.pricedAt, terms.pricedSince) = (signedDate, signedDate)
    }
    terms.storefront = StorefrontCode(storefront.country)
    terms.reason = reason
    terms.offerPeriod = SignedOffer(of: transaction)?.period.iso8601
    terms.winBackOfferID = transaction.terms?.winBackOfferID
    terms.appTransactionID = subscriber.appTransactionID
    if let date = transaction.cancellationDate {
      terms.add(
        SignedTerms.Revocation(
          date: date, signedAt: signedDate, type: revocationType,
          percentage: revocationType == "REFUND_PRORATED" ? transaction.proratedPercentage : nil))
    }
    return terms
  }
}

extension RenewalPayload {
  /// The renewal info as it is known to whoever verified it.
  var known: RenewalInfo {
    var known = info
    // It is one field there.
    (known.priceConsentStatus, known.priceIncreaseStatus) = (info.priceIncreaseStatus, nil)
    return known
  }

  /// Nil where the renewal has no date.
  var terms: RenewalTerms? {
    guard let chain = info.originalTransactionID, let product = info.productID,
      let expires = current.expiresDate
    else { return nil }
    var terms = RenewalTerms(
      originalTransactionID: chain, productID: product, renewalDate: expires, signedAt: signedDate,
      price: price)
    terms.recentSubscriptionStart = recentStart
    terms.winBackOfferIDs = eligibleWinBackOffers
    return terms
  }
}
