import Subscriptions

/// Signed renewal info with Apple's field names: *App Store Server API › JWSRenewalInfoDecodedPayload*.
public struct SignedRenewalInfo: SignedPayload, Encodable {
  package var originalTransactionId: String?
  package var productId: String?
  package var autoRenewProductId: String?
  package var autoRenewStatus: Int64?
  package var environment: String?
  package var signedDate: Int64?
  package var expirationIntent: Int64?
  package var isInBillingRetryPeriod: Bool?
  package var gracePeriodExpiresDate: Int64?
  package var priceIncreaseStatus: Int64?
  package var offerType: Int64?
  package var offerIdentifier: String?
  package var offerDiscountType: String?
  package var offerPeriod: String?
  package var appAccountToken: String?
  package var appTransactionId: String?
  package var renewalDate: Int64?
  package var renewalPrice: Int64?
  package var currency: String?
  package var recentSubscriptionStartDate: Int64?
  package var eligibleWinBackOfferIds: [String]?
  package var renewalBillingPlanType: String?
  package var commitmentInfo: CommitmentInfo?

  /// Commitment of a plan with monthly billing: *JWSRenewalInfoDecodedPayload › commitmentInfo*.
  package struct CommitmentInfo: Codable, Sendable {
    let commitmentAutoRenewProductId: String?
    let commitmentAutoRenewStatus: Int64?
    let commitmentRenewalBillingPlanType: String?
    let commitmentRenewalDate: Int64?
    let commitmentRenewalPrice: Int64?
  }

  package init() {}

  public var signedAt: Instant? { signedDate.map(Instant.init(milliseconds:)) }
  public var signedEnvironment: String? { environment.unlessEmpty }

  /// Terms of the next renewal; `nil` without the chain, the product, the renewal date or the signing date.
  public var terms: RenewalTerms? {
    guard let originalTransactionId = originalTransactionId.unlessEmpty,
      let productId = productId.unlessEmpty, let renewalDate, let signedAt
    else { return nil }
    var terms = RenewalTerms(
      originalTransactionID: OriginalTransactionID(originalTransactionId), productID: ProductID(productId),
      renewalDate: Instant(milliseconds: renewalDate), signedAt: signedAt, price: price)
    terms.recentSubscriptionStart = recentSubscriptionStartDate.map(Instant.init(milliseconds:))
    terms.winBackOfferIDs = (eligibleWinBackOfferIds ?? []).filter { !$0.isEmpty }
    terms.billingPlan = renewalBillingPlanType.unlessEmpty
    terms.commitment = commitmentInfo.map { commitment in
      CommitmentRenewal(
        autoRenewProductID: commitment.commitmentAutoRenewProductId.unlessEmpty.map(ProductID.init),
        autoRenewStatus: commitment.commitmentAutoRenewStatus.map { $0 == 1 },
        billingPlan: commitment.commitmentRenewalBillingPlanType.unlessEmpty,
        date: commitment.commitmentRenewalDate.map(Instant.init(milliseconds:)),
        priceMicros: commitment.commitmentRenewalPrice.map { $0 * 1000 })
    }
    return terms
  }

  /// Renewal price, which Apple sends in thousandths of a unit; `nil` if the price or currency is missing.
  private var price: Money? {
    guard let renewalPrice, let currency = currency.unlessEmpty else { return nil }
    return Money(micros: renewalPrice * 1000, currency: CurrencyCode(currency))
  }

  public func renewalInfo() throws(SignedDataProblem) -> RenewalInfo {
    try SignedLimits.check(self)
    var info = RenewalInfo()
    info.originalTransactionID = originalTransactionId.unlessEmpty.map(OriginalTransactionID.init)
    info.productID = productId.unlessEmpty.map(ProductID.init)
    info.autoRenewProductID = autoRenewProductId.unlessEmpty.map(ProductID.init)
    info.autoRenewStatus = autoRenewStatus.map { $0 == 1 }
    info.expirationIntent = expirationIntent.map { ExpirationIntent(String($0)) }
    info.isInBillingRetryPeriod = isInBillingRetryPeriod
    info.gracePeriodExpiresDate = gracePeriodExpiresDate.map(Instant.init(milliseconds:))
    // `price_consent_status` is the closest equivalent: it is also the customer's answer to a price increase.
    info.priceConsentStatus = priceIncreaseStatus.map(String.init)
    if offerType == 2 { info.promotionalOfferID = offerIdentifier.unlessEmpty }
    if offerType == 3 { info.offerCodeRefName = offerIdentifier.unlessEmpty }
    return info
  }
}
