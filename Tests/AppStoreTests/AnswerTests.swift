import AppStore
import Subscriptions
import Testing

@Suite struct AnswerTests {
  @Test func latestReceiptInfoWinsOverInApp() throws {
    let answer = try answer(
      wire(
        latest: [wireRow("1", "\"is_upgraded\": \"true\"")],
        inApp: [wireRow("1"), wireRow("2"), wireRow("2")]))
    #expect(answer.transactions.map(\.transactionID.rawValue) == ["1", "2"])
    #expect(answer.transactions.first?.isUpgraded == true)
    #expect(answer.lagging == [TransactionID("2")])
  }

  @Test func readsTopLevelFields() throws {
    let answer = try answer(wire())
    #expect(answer.bundleID?.rawValue == "com.example.app")
    #expect(answer.requestDate?.rawValue == 1_767_225_600_000)
    #expect(answer.environment == .production)
    #expect(answer.latestReceipt?.base64 == "MIIB")
    #expect(answer.transactions.isEmpty && answer.renewalInfos.isEmpty)
  }

  @Test func emptyAnswersAreAnswers() throws {
    #expect(try decode("{\"status\": 0}").answer?.transactions == [])
    #expect(
      try decode("{\"status\": 0, \"receipt\": {\"in_app\": []}, \"latest_receipt_info\": null}").answer
        != nil)
    #expect(try decode("{\"status\": \"0\"}").status.rawValue == 0)
  }

  /// Answer in iOS 6 style: one object, an unnamed chain, and milliseconds in the field for a text date.
  private static let legacy = """
    {"status": 21006, "auto_renew_status": 0, "expiration_intent": "1", "is_in_billing_retry_period": "1",
     "auto_renew_product_id": "monthly",
     "receipt": {"bid": "com.example.app", "transaction_id": "90", "original_transaction_id": "70", "product_id": "monthly",
       "purchase_date": "2026-01-01 00:00:00 Etc/GMT", "purchase_date_ms": "1767225600000", "expires_date": "1769817600000",
       "expires_date_formatted": "2026-01-31 00:00:00 Etc/GMT"},
     "latest_expired_receipt_info": {"transaction_id": "91", "original_transaction_id": "70", "product_id": "monthly",
       "purchase_date_ms": "1769817600000", "expires_date": "1772236800000"}}
    """

  @Test func theStyleOfIOS6() throws {
    let response = try decode(Self.legacy, from: .sandbox)
    let answer = try #require(response.answer)
    #expect(response.meaning == .data)
    #expect(answer.bundleID?.rawValue == "com.example.app")
    #expect(answer.environment == .sandbox)
    #expect(Set(answer.transactions.map(\.transactionID.rawValue)) == ["90", "91"])
    #expect(
      answer.transactions.first { $0.transactionID.rawValue == "90" }?.expiresDate?.rawValue
        == 1_769_817_600_000)
    let info = try #require(answer.renewalInfos.first)
    #expect(answer.renewalInfos.count == 1)
    #expect(info.originalTransactionID?.rawValue == "70" && info.productID?.rawValue == "monthly")
    #expect(info.autoRenewStatus == false && info.isInBillingRetryPeriod == true)
    #expect(info.expirationIntent == .customerCancelled)
  }

  @Test func theStyleOfIOS6WithoutAutoRenewStatus() throws {
    let json = Self.legacy.replacing("\"auto_renew_status\": 0, ", with: "")
    #expect(try answer(json).renewalInfos.first?.isInBillingRetryPeriod == true)
  }

  @Test func anObjectForLatestReceiptInfo() throws {
    let json = wire().replacing(
      "\"latest_receipt_info\": []", with: "\"latest_receipt_info\": \(wireRow("5"))")
    #expect(try answer(json).transactions.map(\.transactionID.rawValue) == ["5"])
  }

  /// In 2017, elements of `pending_renewal_info` had no chain.
  @Test func theStyleOf2017() throws {
    let answer = try answer(
      wire(latest: [wireRow()], pending: ["{\"product_id\": \"monthly\", \"auto_renew_status\": \"1\"}"]))
    #expect(answer.renewalInfos.first?.originalTransactionID == nil)
    #expect(answer.renewalInfos.first?.productID?.rawValue == "monthly")
  }

  @Test(
    arguments: [
      (
        "said", "\"environment\": \"Sandbox\", \"receipt\": {\"receipt_type\": \"Production\"}", .production,
        .sandbox
      ),
      ("PROD, as in notifications", "\"environment\": \"PROD\"", nil, .production),
      ("where it was asked", "\"receipt\": {}", .sandbox, .sandbox),
      ("the receipt's type", "\"receipt\": {\"receipt_type\": \"ProductionSandbox\"}", nil, .sandbox),
      ("the sandbox's numbers", "\"latest_receipt_info\": [\(wireRow("1000000180703127"))]", nil, .sandbox),
      ("nothing at all", "\"receipt\": {}", nil, .production),
    ] as [(String, String, StoreEnvironment?, StoreEnvironment)])
  func environments(
    _ name: String, _ json: String, _ asked: StoreEnvironment?, _ environment: StoreEnvironment
  ) throws {
    #expect(
      try decode("{\"status\": 0, \(json)}", from: asked).answer?.environment == environment)
  }

  @Test func aRowWithoutAnOriginalIDStartsItsOwnChain() throws {
    let json = #"{"transaction_id": "8", "product_id": "coins", "purchase_date_ms": "1767225600000"}"#
    #expect(try answer(wire(inApp: [json])).transactions.first?.originalTransactionID.rawValue == "8")
  }

  @Test func anExpiredReceiptIsNotTheLatest() throws {
    let json = wire().replacing("latest_receipt\"", with: "latest_expired_receipt\"")
    #expect(try json.contains("MIIB") && answer(json).latestReceipt == nil)
  }

  @Test func dropsAReceiptThatIsNotBase64() throws {
    #expect(try answer(wire().replacing("MIIB", with: "<html>")).latestReceipt == nil)
  }
}
