/// Fields of a transaction before signing.
public struct SignedTransactionFields: Encodable, Sendable {
  public var transactionId: String?
  public var originalTransactionId: String?
  public var productId: String?
  public var bundleId: String
  public var purchaseDate: Int64?
  public var expiresDate: Int64?
  public var signedDate: Int64?
  public var environment: String?
  public var type: String
  public var inAppOwnershipType: String
  public var quantity: Int
  public var price: Int64?
  public var currency: String?
  public var storefront: String?
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
  public var whatAppleAddedSince: [String: Int]

  public init(
    transactionId: String? = "2000000000000002",
    originalTransactionId: String? = "2000000000000001",
    productId: String? = "com.example.pro.monthly",
    bundleId: String = "com.example.pro",
    purchaseDate: Int64? = 1_750_000_000_000,
    expiresDate: Int64? = 1_752_592_000_000,
    signedDate: Int64? = 1_750_000_001_000,
    environment: String? = "Production",
    type: String = "Auto-Renewable Subscription",
    inAppOwnershipType: String = "PURCHASED",
    quantity: Int = 1,
    price: Int64? = 9990,
    currency: String? = "EUR",
    storefront: String? = "DEU",
    offerType: Int? = nil,
    offerIdentifier: String? = nil,
    offerDiscountType: String? = nil,
    isUpgraded: Bool? = nil,
    revocationDate: Int64? = nil,
    revocationReason: Int? = nil,
    revocationType: String? = nil,
    revocationPercentage: Int64? = nil,
    billingPlanType: String? = nil,
    commitmentInfo: [String: Int64]? = nil,
    webOrderLineItemId: String? = nil,
    whatAppleAddedSince: [String: Int] = ["x": 1]
  ) {
    self.transactionId = transactionId
    self.originalTransactionId = originalTransactionId
    self.productId = productId
    self.bundleId = bundleId
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    self.signedDate = signedDate
    self.environment = environment
    self.type = type
    self.inAppOwnershipType = inAppOwnershipType
    self.quantity = quantity
    self.price = price
    self.currency = currency
    self.storefront = storefront
    self.offerType = offerType
    self.offerIdentifier = offerIdentifier
    self.offerDiscountType = offerDiscountType
    self.isUpgraded = isUpgraded
    self.revocationDate = revocationDate
    self.revocationReason = revocationReason
    self.revocationType = revocationType
    self.revocationPercentage = revocationPercentage
    self.billingPlanType = billingPlanType
    self.commitmentInfo = commitmentInfo
    self.webOrderLineItemId = webOrderLineItemId
    self.whatAppleAddedSince = whatAppleAddedSince
  }
}
