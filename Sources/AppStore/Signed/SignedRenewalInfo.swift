import FoundationEssentials
import Subscriptions

/// What Apple signs of a chain's next renewal, in Apple's names: *App Store Server API › JWSRenewalInfoDecodedPayload*.
public struct SignedRenewalInfo: SignedPayload {
  let originalTransactionId: String?
  let productId: String?
  let autoRenewProductId: String?
  let autoRenewStatus: Int64?
  let environment: String?
  let signedDate: Int64?
  let expirationIntent: Int64?
  let isInBillingRetryPeriod: Bool?
  let gracePeriodExpiresDate: Int64?
  let priceIncreaseStatus: Int64?
  let offerType: Int64?
  let offerIdentifier: String?
  let renewalDate: Int64?
  let renewalPrice: Int64?
  let currency: String?

  public var signedAt: Instant? { signedDate.map(Instant.init(milliseconds:)) }
  public var signedEnvironment: String? { environment }
}

extension SignedRenewalInfo {
  /// What the renewal will cost; nil where there will be none, or Apple does not say it.
  public var terms: RenewalTerms? {
    guard let originalTransactionId, let productId, let renewalDate, let signedAt, let renewalPrice,
      let currency
    else { return nil }
    // Apple's price is in thousandths of a unit.
    return RenewalTerms(
      originalTransactionID: OriginalTransactionID(originalTransactionId), productID: ProductID(productId),
      renewalDate: Instant(milliseconds: renewalDate), signedAt: signedAt,
      price: Money(micros: renewalPrice * 1000, currency: CurrencyCode(currency)))
  }

  /// The renewal info in the domain's terms.
  ///
  /// - Throws: which field is beyond what it may be.
  public func renewalInfo() throws(SignedDataProblem) -> RenewalInfo {
    var fields = SignedFields()
    fields.check("originalTransactionId", originalTransactionId, FieldLimits.id)
    fields.check("productId", productId, FieldLimits.name)
    fields.check("autoRenewProductId", autoRenewProductId, FieldLimits.name)
    fields.check("offerIdentifier", offerIdentifier, FieldLimits.offer)
    fields.check("environment", environment, FieldLimits.text)
    fields.check("currency", currency, 3)
    for (name, date) in [
      ("gracePeriodExpiresDate", gracePeriodExpiresDate), ("renewalDate", renewalDate),
      ("signedDate", signedDate),
    ] {
      fields.check(name, date: date)
    }
    fields.check("autoRenewStatus", autoRenewStatus, 0...1)
    fields.check("renewalPrice", renewalPrice, FieldLimits.signedPrice)
    if let problem = fields.problem { throw problem }
    var info = RenewalInfo()
    info.originalTransactionID = originalTransactionId.map(OriginalTransactionID.init)
    info.productID = productId.map(ProductID.init)
    info.autoRenewProductID = autoRenewProductId.map(ProductID.init)
    info.autoRenewStatus = autoRenewStatus.map { $0 == 1 }
    info.expirationIntent = expirationIntent.map { ExpirationIntent(String($0)) }
    info.isInBillingRetryPeriod = isInBillingRetryPeriod
    info.gracePeriodExpiresDate = gracePeriodExpiresDate.map(Instant.init(milliseconds:))
    // The nearest: server-side it is the same question to the customer.
    info.priceConsentStatus = priceIncreaseStatus.map(String.init)
    if offerType == 2 { info.promotionalOfferID = offerIdentifier }
    if offerType == 3 { info.offerCodeRefName = offerIdentifier }
    return info
  }
}
