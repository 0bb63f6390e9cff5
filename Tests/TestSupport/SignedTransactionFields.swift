/// Fields of a transaction before signing.
public struct SignedTransactionFields: Encodable, Sendable {
  public var transactionId: String? = "2000000000000002"
  public var originalTransactionId: String? = "2000000000000001"
  public var productId: String? = "com.example.pro.monthly"
  public var bundleId: String = "com.example.pro"
  public var purchaseDate: Int64? = 1_750_000_000_000
  public var expiresDate: Int64? = 1_752_592_000_000
  public var signedDate: Int64? = 1_750_000_001_000
  public var environment: String? = "Production"
  public var type: String = "Auto-Renewable Subscription"
  public var inAppOwnershipType: String = "PURCHASED"
  public var quantity: Int = 1
  public var price: Int64? = 9990
  public var currency: String? = "EUR"
  public var storefront: String? = "DEU"
  public var offerType: Int?
  public var offerIdentifier: String?
  public var offerDiscountType: String?
  public var isUpgraded: Bool?
  public var revocationDate: Int64?
  public var revocationReason: Int?
  public var revocationType: String?
  public var revocationPercentage: Int64?
  public var billingPlanType: String?
  public var commitmentInfo: [String: Int64]?
  public var webOrderLineItemId: String?
  public var whatAppleAddedSince: [String: Int] = ["x": 1]

  public init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }
}
