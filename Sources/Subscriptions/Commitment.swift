/// Month of a yearly commitment that is billed monthly: *App Store Server API › commitmentInfo*.
public struct Commitment: Hashable, Sendable {
  public var signedAt: Instant
  /// From 1.
  public var billingPeriodNumber: Int64?
  public var totalBillingPeriods: Int64?
  /// Changes if a bill is paid late.
  public var expires: Instant?
  /// Price of the whole commitment, in micros.
  public var priceMicros: Int64?

  public init(
    signedAt: Instant, billingPeriodNumber: Int64?, totalBillingPeriods: Int64?, expires: Instant?,
    priceMicros: Int64?
  ) {
    self.signedAt = signedAt
    (self.billingPeriodNumber, self.totalBillingPeriods) = (billingPeriodNumber, totalBillingPeriods)
    (self.expires, self.priceMicros) = (expires, priceMicros)
  }

  /// Newer signatures are greater, and ties are resolved deterministically.
  var order: (Instant, Int64, Int64, Instant, Int64) {
    (
      signedAt, billingPeriodNumber ?? 0, totalBillingPeriods ?? 0, expires ?? .distantPast, priceMicros ?? 0
    )
  }
}

/// Renewal of a commitment after its last month.
public struct CommitmentRenewal: Hashable, Sendable {
  public var autoRenewProductID: ProductID?
  public var autoRenewStatus: Bool?
  /// `BILLED_UPFRONT` or `MONTHLY`.
  public var billingPlan: String?
  public var date: Instant?
  public var priceMicros: Int64?

  public init(
    autoRenewProductID: ProductID?, autoRenewStatus: Bool?, billingPlan: String?, date: Instant?,
    priceMicros: Int64?
  ) {
    (self.autoRenewProductID, self.autoRenewStatus) = (autoRenewProductID, autoRenewStatus)
    (self.billingPlan, self.date, self.priceMicros) = (billingPlan, date, priceMicros)
  }
}
