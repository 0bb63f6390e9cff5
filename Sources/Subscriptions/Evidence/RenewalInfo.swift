/// Apple's *App Store Receipts › responseBody.Pending_renewal_info*; a missing field need not mean "0".
public struct RenewalInfo: Hashable, Sendable, Encodable {
  /// Chain that renews; missing in answers of 2017.
  @ExplicitNull public var originalTransactionID: OriginalTransactionID?
  @ExplicitNull public var productID: ProductID?
  @ExplicitNull public var autoRenewProductID: ProductID?
  @ExplicitNull public var autoRenewStatus: Bool?
  @ExplicitNull public var expirationIntent: ExpirationIntent?
  @ExplicitNull public var isInBillingRetryPeriod: Bool?
  /// End of the grace period, which Apple keeps sending long after it has passed.
  @ExplicitNull public var gracePeriodExpiresDate: Instant?
  /// Answer to a price increase: `0` if the customer has not answered, `1` if the customer has agreed.
  @ExplicitNull public var priceConsentStatus: String?
  @ExplicitNull public var priceIncreaseStatus: String?
  @ExplicitNull public var promotionalOfferID: String?
  @ExplicitNull public var offerCodeRefName: String?

  private enum CodingKeys: String, CodingKey {
    case originalTransactionID = "originalTransactionId"
    case productID = "productId"
    case autoRenewProductID = "autoRenewProductId"
    case autoRenewStatus, expirationIntent, isInBillingRetryPeriod
    case gracePeriodExpiresDate = "gracePeriodExpiresDateMs"
    case priceConsentStatus, priceIncreaseStatus
    case promotionalOfferID = "promotionalOfferId"
    case offerCodeRefName
  }

  public init() {}

  /// Returns the consent to a higher price (METRICS §3): `false` if not answered, `nil` without a request.
  public static func consent(_ priceConsentStatus: String?, _ priceIncreaseStatus: String?) -> Bool? {
    if priceConsentStatus == "0" || priceIncreaseStatus == "0" { return false }
    return priceConsentStatus == "1" || priceIncreaseStatus == "1" ? true : nil
  }

  var consent: Bool? { Self.consent(priceConsentStatus, priceIncreaseStatus) }

  /// Whether a line with this product will renew as another product (METRICS §3, `change_pending`).
  func changes(from product: ProductID) -> Bool {
    guard autoRenewStatus == true, let next = autoRenewProductID else { return false }
    return next != product
  }
}

/// Renewal info with the interval in which it became true, since Apple gives no instant.
public struct RenewalObservation: Hashable, Sendable {
  public var info: RenewalInfo
  /// Instant of the last validation before the info appeared; `nil` if there is none.
  public var observedAfter: Instant?
  public var observedAt: Instant

  public init(info: RenewalInfo, observedAfter: Instant? = nil, observedAt: Instant) {
    (self.info, self.observedAfter, self.observedAt) = (info, observedAfter, observedAt)
  }
}
