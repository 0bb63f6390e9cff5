import AppStore

/// Fields of a notification before signing.
public struct SignedNotificationFields: Encodable, Sendable {
  public var notificationType: String?
  public var subtype: String?
  public var notificationUUID: String?
  public var version = "2.0"
  public var signedDate: Int64?
  public var data: Content?
  public var summary: Content?
  public var externalPurchaseToken: Content?
  public var appData: Content?

  public struct Content: Encodable, Sendable {
    public var appAppleId: Int64?
    public var bundleId: String?
    public var environment: String?
    public var status: Int?
    public var signedTransactionInfo: String?
    public var signedRenewalInfo: String?
    public var signedAppTransactionInfo: String?
    public var externalPurchaseId: String?
    public var failedCount: Int?

    public init(
      bundleId: String? = "com.example.pro", environment: String? = "Production", appAppleId: Int64? = nil
    ) {
      (self.bundleId, self.environment, self.appAppleId) = (bundleId, environment, appAppleId)
    }
  }

  public init(
    _ type: String? = "DID_RENEW", _ subtype: String? = nil, uuid: String? = Self.uuid(1),
    signedDate: Int64? = 1_750_000_002_000, data: Content? = nil
  ) {
    (notificationType, self.subtype, notificationUUID) = (type, subtype, uuid)
    (self.signedDate, self.data) = (signedDate, data)
  }

  public static func uuid(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "7a3e0f54-9d1c-4b62-8f00-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}

public struct SignedRenewalInfoFields: Encodable, Sendable {
  public var originalTransactionId: String? = "2000000000000001"
  public var productId: String? = "com.example.pro.monthly"
  public var autoRenewProductId: String? = "com.example.pro.monthly"
  public var autoRenewStatus: Int? = 1
  public var environment: String? = "Production"
  public var signedDate: Int64? = 1_750_000_001_500
  public var isInBillingRetryPeriod: Bool?
  public var expirationIntent: Int?

  public init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }
}

extension SigningAuthority {
  public func notification(
    _ fields: SignedNotificationFields = SignedNotificationFields(),
    transaction: SignedTransactionFields? = SignedTransactionFields(),
    renewal: SignedRenewalInfoFields? = SignedRenewalInfoFields()
  ) -> String {
    var fields = fields
    var data = fields.data ?? SignedNotificationFields.Content()
    data.signedTransactionInfo = transaction.map { sign($0) }
    data.signedRenewalInfo = renewal.map { sign($0) }
    fields.data = data
    return body(fields)
  }

  public func body(_ fields: SignedNotificationFields) -> String { "{\"signedPayload\":\"\(sign(fields))\"}" }
}
