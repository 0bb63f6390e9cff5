/// What Apple says of a chain's next renewal: *App Store Receipts › responseBody.Pending_renewal_info*.
///
/// A missing field is nil, which is often not the same as "0".
public struct RenewalInfo: Hashable, Sendable {
  /// Missing in answers of 2017; then the product tells the chain.
  public var originalTransactionID: OriginalTransactionID?
  public var productID: ProductID?
  public var autoRenewProductID: ProductID?
  public var autoRenewStatus: Bool?
  public var expirationIntent: ExpirationIntent?
  public var isInBillingRetryPeriod: Bool?
  /// Present also long after a failed retry; compare with now.
  public var gracePeriodExpiresDate: Instant?
  /// "0" not answered, "1" agreed.
  public var priceConsentStatus: String?
  public var priceIncreaseStatus: String?
  public var promotionalOfferID: String?
  public var offerCodeRefName: String?

  public init() {}

  /// METRICS §3, Price consent: false if the customer has not answered yet, `nil` if the answer has no request.
  public static func consent(_ priceConsentStatus: String?, _ priceIncreaseStatus: String?) -> Bool? {
    if priceConsentStatus == "0" || priceIncreaseStatus == "0" { return false }
    return priceConsentStatus == "1" || priceIncreaseStatus == "1" ? true : nil
  }

  var consent: Bool? { Self.consent(priceConsentStatus, priceIncreaseStatus) }

  /// METRICS §3, `change_pending`: whether a line that has this product will renew as another.
  func changes(from product: ProductID) -> Bool {
    guard autoRenewStatus == true, let next = autoRenewProductID else { return false }
    return next != product
  }
}

/// A renewal info together with the interval in which it became true: Apple gives no instant for these facts.
public struct RenewalObservation: Hashable, Sendable {
  public var info: RenewalInfo
  /// The last validation that did not yet show it; nil where it came with the first answer.
  public var observedAfter: Instant?
  /// The first validation that showed it.
  public var observedAt: Instant

  public init(info: RenewalInfo, observedAfter: Instant? = nil, observedAt: Instant) {
    self.info = info
    self.observedAfter = observedAfter
    self.observedAt = observedAt
  }
}
