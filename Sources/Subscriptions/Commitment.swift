/// A month of a yearly commitment that is billed by the month: *App Store Server API › commitmentInfo*.
public struct Commitment: Hashable, Sendable {
  public var signedAt: Instant
  /// Which of the months it is, from 1.
  public var billingPeriodNumber: Int64?
  public var totalBillingPeriods: Int64?
  /// It moves where a bill was paid late.
  public var expires: Instant?
  /// What all of it costs, in micros of the transaction's currency.
  public var priceMicros: Int64?

  public init(
    signedAt: Instant, billingPeriodNumber: Int64?, totalBillingPeriods: Int64?, expires: Instant?,
    priceMicros: Int64?
  ) {
    self.signedAt = signedAt
    (self.billingPeriodNumber, self.totalBillingPeriods) = (billingPeriodNumber, totalBillingPeriods)
    (self.expires, self.priceMicros) = (expires, priceMicros)
  }

  /// The newer word wins, and of two of one instant always the same.
  var order: (Instant, Int64, Int64, Instant, Int64) {
    (
      signedAt, billingPeriodNumber ?? 0, totalBillingPeriods ?? 0, expires ?? .distantPast, priceMicros ?? 0
    )
  }
}

/// How a commitment goes on after its last month: *App Store Server API › JWSRenewalInfoDecodedPayload › commitmentInfo*.
public struct CommitmentRenewal: Hashable, Sendable {
  public var autoRenewProductID: ProductID?
  public var autoRenewStatus: Bool?
  /// `BILLED_UPFRONT` or `MONTHLY`.
  public var billingPlan: String?
  public var date: Instant?
  /// In micros of the renewal's currency.
  public var priceMicros: Int64?

  public init(
    autoRenewProductID: ProductID?, autoRenewStatus: Bool?, billingPlan: String?, date: Instant?,
    priceMicros: Int64?
  ) {
    (self.autoRenewProductID, self.autoRenewStatus) = (autoRenewProductID, autoRenewStatus)
    (self.billingPlan, self.date, self.priceMicros) = (billingPlan, date, priceMicros)
  }
}
