import AppStore
import Subscriptions
import TestSupport
import Testing

/// Optional texts that are present but empty, which Apple would omit.
@Suite struct EmptySignedDataTests {
  private let authority: SigningAuthority

  init() throws { authority = try #require(SigningAuthority()) }

  private struct Emptied<Fields: Encodable>: Encodable {
    let fields: Fields
    let names: [String]

    func encode(to encoder: any Encoder) throws {
      try fields.encode(to: encoder)
      var members = encoder.container(keyedBy: SignedName.self)
      for name in names { try members.encode("", forKey: SignedName(stringValue: name)) }
    }
  }

  private struct SignedName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private func read<Payload: SignedPayload>(
    _ fields: some Encodable, _ type: Payload.Type
  ) throws -> Payload {
    try SignatureVerifier(root: authority.root).read(authority.sign(fields), as: type)
  }

  @Test(arguments: [nil, 1, 2, 3, 4] as [Int?])
  func anEmptyStringInATransactionIsAbsent(_ offerType: Int?) throws {
    let fields = SignedTransactionFields {
      $0.originalTransactionId = nil
      $0.environment = nil
      $0.currency = nil
      $0.storefront = nil
      $0.offerType = offerType
      $0.revocationDate = 1_750_000_000_500
    }
    let emptied = Emptied(
      fields: fields,
      names: [
        "originalTransactionId", "webOrderLineItemId", "bundleId", "subscriptionGroupIdentifier",
        "inAppOwnershipType", "appAccountToken", "environment", "revocationType", "offerIdentifier",
        "offerDiscountType", "offerPeriod", "storefront", "transactionReason", "currency", "appTransactionId",
        "billingPlanType",
      ])
    let (row, missing) = (try read(emptied, SignedTransaction.self), try read(fields, SignedTransaction.self))
    #expect(try row.transaction() == missing.transaction())
    #expect(row.signedEnvironment == nil && row.bundleID == nil)
    #expect(try row.transaction().originalTransactionID.rawValue == "2000000000000002")
  }

  @Test(arguments: [2, 3]) func anEmptyStringInARenewalInfoIsAbsent(_ offerType: Int) throws {
    struct Fields: Encodable {
      var originalTransactionId: String? = "1"
      var productId: String? = "monthly"
      var renewalDate: Int64 = 1_752_592_000_000
      var signedDate: Int64 = 1_750_000_001_000
      var renewalPrice: Int64 = 12_990
      var offerType: Int
      var eligibleWinBackOfferIds: [String]?
      var commitmentInfo: [String: String] = [:]
    }
    let commitment = ["commitmentAutoRenewProductId": "", "commitmentRenewalBillingPlanType": ""]
    let row = try read(
      Emptied(
        fields: Fields(
          offerType: offerType, eligibleWinBackOfferIds: ["", ""], commitmentInfo: commitment),
        names: ["autoRenewProductId", "environment", "offerIdentifier", "currency", "renewalBillingPlanType"]),
      SignedRenewalInfo.self)
    let missing = try read(Fields(offerType: offerType), SignedRenewalInfo.self)
    #expect(try row.renewalInfo() == missing.renewalInfo() && row.signedEnvironment == nil)
    #expect(row.terms != nil && row.terms == missing.terms)
    let nameless = try read(
      Emptied(fields: Fields(offerType: offerType), names: ["originalTransactionId", "productId"]),
      SignedRenewalInfo.self)
    let info = try nameless.renewalInfo()
    #expect(info.originalTransactionID == nil && info.productID == nil && nameless.terms == nil)
  }
}
