import Subscriptions

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
