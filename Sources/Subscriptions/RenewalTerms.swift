/// What Apple signs of a chain's next renewal and no receipt ever told: *App Store Server API › JWSRenewalInfoDecodedPayload*.
public struct RenewalTerms: Hashable, Sendable {
  public var originalTransactionID: OriginalTransactionID
  /// What runs until then.
  public var productID: ProductID
  /// When the running period ends.
  public var renewalDate: Instant
  public var signedAt: Instant
  /// What the renewal will cost, an offer's discount included. Where another product comes, that product's price.
  public var price: Money

  public init(
    originalTransactionID: OriginalTransactionID, productID: ProductID, renewalDate: Instant,
    signedAt: Instant, price: Money
  ) {
    (self.originalTransactionID, self.productID) = (originalTransactionID, productID)
    (self.renewalDate, self.signedAt, self.price) = (renewalDate, signedAt, price)
  }

  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    (left.originalTransactionID, left.productID.rawValue, left.renewalDate)
      < (right.originalTransactionID, right.productID.rawValue, right.renewalDate)
  }
}
