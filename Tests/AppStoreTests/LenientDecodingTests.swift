import AppStore
import Subscriptions
import Testing

@Suite struct LenientDecodingTests {
  @Test(arguments: [
    ("\"true\"", true), ("\"false\"", false), ("\"1\"", true), ("\"0\"", false), ("true", true),
    ("false", false),
    ("1", true), ("0", false), ("\"TRUE\"", true), ("null", false), ("\"\"", false),
  ])
  func flagsInEveryForm(_ json: String, _ isUpgraded: Bool) throws {
    #expect(try transaction("\"is_upgraded\": \(json)").isUpgraded == isUpgraded)
  }

  @Test(
    arguments: [
      ("\"is_in_billing_retry_period\": \"1\"", true), ("\"is_in_billing_retry_period\": \"0\"", false),
      ("\"is_in_billing_retry_period\": 1", true), ("\"is_in_billing_retry_period\": null", nil),
      ("\"other\": 1", nil),
    ] as [(String, Bool?)])
  func absentIsNotZero(_ json: String, _ retry: Bool?) throws {
    let info = try answer(wire(pending: ["{\"product_id\": \"monthly\", \(json)}"])).renewalInfos.first
    #expect(info?.isInBillingRetryPeriod == retry)
  }

  @Test(
    arguments: [
      ("milliseconds as text", "\"cancellation_date_ms\": \"1767225600123\"", 1_767_225_600_123),
      ("milliseconds as a number", "\"cancellation_date_ms\": 1767225600123", 1_767_225_600_123),
      (
        "milliseconds win over the text",
        "\"cancellation_date_ms\": \"1767225600123\", \"cancellation_date\": \"2020-01-01 00:00:00 Etc/GMT\"",
        1_767_225_600_123
      ),
      ("the text alone", "\"cancellation_date\": \"2026-01-01 00:00:00 Etc/GMT\"", 1_767_225_600_000),
      (
        "milliseconds in the text field, as in iOS 6", "\"cancellation_date\": \"1767225600000\"",
        1_767_225_600_000
      ),
      (
        "Pacific time is not read", "\"cancellation_date_pst\": \"2026-01-01 00:00:00 America/Los_Angeles\"",
        nil
      ),
      ("null", "\"cancellation_date_ms\": null", nil),
      ("empty", "\"cancellation_date_ms\": \"\"", nil),
      ("the first day", "\"cancellation_date_ms\": \"1215648000000\"", 1_215_648_000_000),
    ] as [(String, String, Int64?)])
  func dates(_ name: String, _ json: String, _ milliseconds: Int64?) throws {
    #expect(try transaction(json).cancellationDate?.rawValue == milliseconds)
  }

  @Test func idsStayTheText() throws {
    let row = try transaction(
      "\"web_order_line_item_id\": 500628332437815653, \"app_account_token\": \"ABC\", \"subscription_group_identifier\": \"007\""
    )
    #expect(row.webOrderLineItemID?.rawValue == "500628332437815653")
    #expect(row.subscriptionGroupIdentifier?.rawValue == "007")
    #expect(row.appAccountToken == "ABC")
  }

  /// Ids written as numbers are read as digits, since rounding would turn them into other ids.
  @Test(
    "Ids as numbers",
    arguments: [
      ("504319184420155589", "504319184420155589"), ("9223372036854775808", "9223372036854775808"),
      ("18446744073709551615", "18446744073709551615"),
      ("340282366920938463463374607431768211456", "340282366920938463463374607431768211456"),
      ("5.04319184420155588e17", nil), ("2.00000E+15", nil), ("1e3", nil), ("12.0", nil), ("1e400", nil),
    ] as [(String, String?)])
  func idsAsNumbers(_ written: String, _ id: String?) throws {
    let names = [
      "transaction_id", "original_transaction_id", "web_order_line_item_id", "subscription_group_identifier",
      "app_account_token", "product_id", "promotional_offer_id", "offer_code_ref_name",
    ]
    for name in names {
      guard let id else {
        let error = #expect(throws: UnreadableAnswer.self) {
          try transaction("\"\(name)\": \(written)")
        }
        #expect(error?.reason == "latest_receipt_info[0].\(name) \(Self.inexact)")
        continue
      }
      let row = try transaction("\"\(name)\": \(written)")
      let ids: [String: String?] = [
        "transaction_id": row.transactionID.rawValue,
        "original_transaction_id": row.originalTransactionID.rawValue,
        "web_order_line_item_id": row.webOrderLineItemID?.rawValue,
        "subscription_group_identifier": row.subscriptionGroupIdentifier?.rawValue,
        "app_account_token": row.appAccountToken, "product_id": row.productID.rawValue,
        "promotional_offer_id": row.promotionalOfferID, "offer_code_ref_name": row.offerCodeRefName,
      ]
      #expect(ids[name] == id)
    }
  }

  private static let inexact =
    "is a number with a decimal point or an exponent and may have lost digits; write the id as text"

  @Test func numbersTooLargeForAnIntegerDoNotStopAnAnswer() throws {
    #expect(try transaction("\"download_id\": 1e400, \"quantity\": 3.0").quantity == 3)
  }

  @Test func keepsUnknownValues() throws {
    let row = try transaction(
      "\"in_app_ownership_type\": \"LENT\", \"cancellation_reason\": \"7\", \"new_field\": {\"a\": [1]}")
    #expect(row.inAppOwnershipType == .other("LENT"))
    #expect(row.cancellationReason == "7")
    let info = try #require(
      try answer(wire(pending: ["{\"expiration_intent\": \"9\", \"price_consent_status\": \"5\"}"]))
        .renewalInfos.first)
    #expect(info.expirationIntent == .unknown("9"))
    #expect(info.expirationIntent?.rawValue == "9")
    #expect(info.priceConsentStatus == "5")
    let other = wire().replacing("\"Production\", \"latest", with: "\"Xcode\", \"latest")
    #expect(try answer(other).environment == .other("Xcode"))
  }

  @Test func everyFieldOfATransaction() throws {
    let row = try transaction(
      """
      "is_trial_period": "false", "is_in_intro_offer_period": "true", "original_purchase_date_ms": "1767225600005",
      "promotional_offer_id": "P", "offer_code_ref_name": "C", "in_app_ownership_type": "FAMILY_SHARED"
      """)
    #expect(row.transactionID.rawValue == "1" && row.originalTransactionID.rawValue == "1")
    #expect(row.productID.rawValue == "monthly")
    #expect(row.purchaseDate.rawValue == 1_767_225_600_000)
    #expect(row.expiresDate?.rawValue == 1_769_817_600_000)
    #expect(row.originalPurchaseDate?.rawValue == 1_767_225_600_005)
    #expect(!row.isTrialPeriod && row.isInIntroOfferPeriod && !row.isUpgraded)
    #expect(row.promotionalOfferID == "P" && row.offerCodeRefName == "C")
    #expect(row.inAppOwnershipType == .familyShared)
  }

  @Test func everyFieldOfARenewalInfo() throws {
    let info = try #require(
      try answer(
        wire(pending: [
          """
          {"original_transaction_id": "1", "product_id": "monthly", "auto_renew_product_id": "weekly",
           "auto_renew_status": "0", "expiration_intent": "2", "is_in_billing_retry_period": "1",
           "grace_period_expires_date_ms": "1767225600009", "price_consent_status": "0", "price_increase_status": "1",
           "promotional_offer_id": "P", "offer_code_ref_name": "C"}
          """
        ])
      ).renewalInfos.first)
    #expect(info.originalTransactionID?.rawValue == "1" && info.productID?.rawValue == "monthly")
    #expect(info.autoRenewProductID?.rawValue == "weekly" && info.autoRenewStatus == false)
    #expect(info.expirationIntent == .billingError && info.isInBillingRetryPeriod == true)
    #expect(info.gracePeriodExpiresDate?.rawValue == 1_767_225_600_009)
    #expect(info.priceConsentStatus == "0" && info.priceIncreaseStatus == "1")
    #expect(info.promotionalOfferID == "P" && info.offerCodeRefName == "C")
  }
}
