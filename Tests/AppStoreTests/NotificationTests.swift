import AppStore
import Subscriptions
import TestSupport
import Testing

@Suite struct NotificationTests {
  struct TypeCase: CustomTestStringConvertible, Sendable {
    let type: String
    var more = ""
    var row = ""
    var isAsked = true
    var says: @Sendable (ServerNotification) -> Bool = { _ in true }
    var testDescription: String { type }
  }

  @Test(arguments: [
    TypeCase(type: "INITIAL_BUY", isAsked: false), TypeCase(type: "DID_RENEW", isAsked: false),
    TypeCase(type: "RENEWAL", isAsked: false), TypeCase(type: "DID_RECOVER", isAsked: false),
    TypeCase(type: "INTERACTIVE_RENEWAL", isAsked: false),
    TypeCase(
      type: "DID_CHANGE_RENEWAL_STATUS",
      more: #""auto_renew_status": "false", "auto_renew_status_change_date_ms": "1767225601000""#,
      says: { $0.autoRenewStatusChangeDate == Instant(milliseconds: 1_767_225_601_000) }),
    TypeCase(type: "DID_CHANGE_RENEWAL_PREF"), TypeCase(type: "DID_FAIL_TO_RENEW"),
    TypeCase(
      type: "CANCEL", row: #""cancellation_date_ms": "1767225602000", "cancellation_reason": "0""#,
      says: { $0.cancellationDate == Instant(milliseconds: 1_767_225_602_000) }),
    TypeCase(
      type: "REFUND", row: #""cancellation_date_ms": "1767225602000""#,
      says: { $0.cancellationDate == Instant(milliseconds: 1_767_225_602_000) }),
    TypeCase(
      type: "REVOKE", row: #""cancellation_date": "2026-01-01 00:00:02 Etc/GMT""#,
      says: { $0.cancellationDate == Instant(milliseconds: 1_767_225_602_000) }),
    TypeCase(type: "PRICE_INCREASE_CONSENT"), TypeCase(type: "CONSUMPTION_REQUEST"),
    TypeCase(type: "SOMETHING_OF_2031"),
  ])
  func everyTypeIsReadAndKeptAsItCame(_ test: TypeCase) throws {
    let read = try kept(body(test.type, rows: [wireRow("1"), wireRow("2", test.row)], more: test.more))
    let facts = read.notification.facts
    #expect(facts.type.rawValue == test.type)
    #expect(facts.environment == .production)
    #expect(facts.originalTransactionID.rawValue == "1" && facts.transactionID?.rawValue == "2")
    #expect(facts.productID?.rawValue == "monthly" && facts.autoRenewProductID?.rawValue == "monthly")
    #expect(test.says(facts))
    #expect(read.notification.asksForValidation == test.isAsked)
    #expect(read.password != nil)
  }

  @Test func theUnifiedReceiptIsAnAnswer() throws {
    let read = try notification(body(rows: [wireRow("2"), wireRow("3"), wireRow("2")]))
    let answer = read.answer
    #expect(answer.environment == .production && answer.bundleID?.rawValue == "com.example.app")
    #expect(answer.transactions.map(\.transactionID.rawValue) == ["2", "3"])
    #expect(answer.renewalInfos.map(\.autoRenewStatus) == [true])
    #expect(answer.latestReceipt?.base64 == "MIIB")
    #expect(answer.lagging.count == 2, "without a clock of its own it takes nothing back")
    #expect(read.isUnified && read.observedAt == nil && read.appUserID == nil)
  }

  @Test func anEnvelopeGivesTheUserAndTheClock() throws {
    let read = try notification(
      #"{"app_user_id": "u", "observed_at_ms": "1767225600123", "notification": "# + body() + "}")
    #expect(read.appUserID?.rawValue == "u")
    #expect(read.observedAt == Instant(milliseconds: 1_767_225_600_123))
    #expect(read.facts.observedAt == read.observedAt)
    #expect(read.answer.lagging == [])
  }

  private static let oldTop =
    #""notification_type": "RENEWAL", "environment": "PROD", "auto_renew_status": "true", "auto_renew_product_id": "yearly""#

  @Test(arguments: [
    #"{\#(oldTop), "latest_receipt": "ewo=", "latest_receipt_info": \#(oldRow())}"#,
    #"{\#(oldTop), "latest_expired_receipt": "ewo=", "latest_expired_receipt_info": \#(oldRow())}"#,
    #"{\#(oldTop), "latest_receipt": "ewo=", "latest_receipt_info": {}, "latest_expired_receipt_info": \#(oldRow())}"#,
    #"{\#(oldTop), "latest_receipt": "ewo=", "latest_receipt_info": [\#(oldRow())]}"#,
    #"{\#(oldTop), "unified_receipt": {}, "latest_receipt": "ewo=", "latest_receipt_info": \#(oldRow())}"#,
    #"{\#(oldTop), "unified_receipt": {"status": 21004, "latest_receipt_info": 7}, "latest_receipt": "ewo=", "latest_receipt_info": \#(oldRow())}"#,
    #"{\#(oldTop), "latest_receipt": "ewo=", "original_transaction_id": "1"}"#,
  ])
  func readsBodiesWithoutAUnifiedReceipt(_ json: String) throws {
    let hasRow = json.contains(oldRow())
    let (row, app) = (hasRow ? "2" : nil, hasRow ? "com.example.old" : nil)
    let read = try notification(json)
    #expect(!read.isUnified && read.asksForValidation)
    #expect(read.facts.originalTransactionID.rawValue == "1")
    #expect(read.facts.transactionID?.rawValue == row)
    #expect(read.answer.transactions.map(\.transactionID.rawValue) == (row.map { [$0] } ?? []))
    #expect(
      read.answer.transactions.allSatisfy { $0.expiresDate == Instant(milliseconds: 1_769_817_600_000) })
    #expect(read.answer.bundleID?.rawValue == app)
    #expect(read.answer.renewalInfos.map(\.autoRenewStatus) == [true])
    #expect(read.answer.renewalInfos.map(\.autoRenewProductID?.rawValue) == ["yearly"])
    #expect(read.answer.renewalInfos.map(\.originalTransactionID?.rawValue) == ["1"])
    #expect(read.answer.latestReceipt?.base64 == "ewo=")
  }

  @Test func aUnifiedReceiptMayHoldAnObject() throws {
    let json = body().replacing("[\(wireRow("2"))]", with: wireRow("2"))
      .replacing("[\(wirePending())]", with: wirePending())
    let read = try notification(json)
    #expect(json.contains("\"latest_receipt_info\": {"))
    #expect(read.isUnified && read.answer.transactions.count == 1 && read.answer.renewalInfos.count == 1)
  }

  private static func other(_ id: String, _ more: String = "") -> String {
    wireRow(id, more).replacing(
      "\"original_transaction_id\": \"1\"", with: "\"original_transaction_id\": \"50\"")
  }
  /// Body without the chain at the top level, as in 2020.
  private static func unnamed(_ type: String, _ rows: [String], _ more: String = "") -> String {
    body(type, rows: rows, more: more).replacing("\"original_transaction_id\": 1, ", with: "")
  }
  private static let refunded = "\"cancellation_date_ms\": \"1767225602000\""
  private static let coin = late(wireRow("3")).replacing("\"expires_date_ms\"", with: "\"bought_at_ms\"")
  private static func late(_ row: String) -> String {
    row.replacing("\"1767225600000\"", with: "\"1768000000000\"")
  }

  @Test(
    arguments: [
      ("the chain it names", body(rows: [late(other("51")), wireRow("2")]), "1", "2"),
      ("a chain of which it holds nothing", body(rows: [other("51")]), "1", nil),
      (
        "the chain that renews into the product it names",
        unnamed("DID_RENEW", [late(other("51")), wireRow("2")]), "1", "2"
      ),
      (
        "the order it names",
        unnamed(
          "CANCEL", [wireRow("3", refunded), other("51", "\"web_order_line_item_id\": \"77\"")],
          "\"web_order_line_item_id\": 77"), "50", "51"
      ),
      ("what was refunded", unnamed("REFUND", [late(wireRow("3")), other("51", refunded)]), "50", "51"),
      (
        "what was refunded then",
        body(
          "CANCEL",
          rows: [wireRow("2", refunded), wireRow("3", "\"cancellation_date_ms\": \"1767225603000\"")],
          more: refunded), "1", "2"
      ),
      ("a subscription rather than the newest coin", body(rows: [wireRow("2"), coin]), "1", "2"),
      ("a coin that Apple asks about", body("CONSUMPTION_REQUEST", rows: [wireRow("2"), coin]), "1", "3"),
    ] as [(String, String, String, String?)])
  func itIsAbout(_ name: String, _ json: String, _ chain: String, _ row: String?) throws {
    let facts = try notification(json).facts
    #expect(facts.originalTransactionID.rawValue == chain)
    #expect(facts.transactionID?.rawValue == row)
  }

  @Test(arguments: [
    ("\"PROD\"", StoreEnvironment.production), ("\"Production\"", .production), ("\"Sandbox\"", .sandbox),
    ("null", .production), ("\"Xcode\"", .other("Xcode")),
  ])
  func environments(_ text: String, _ environment: StoreEnvironment) throws {
    let json =
      #"{"notification_type": "CANCEL", "environment": \#(text), "latest_receipt_info": \#(oldRow())}"#
    #expect(try notification(json).facts.environment == environment)
  }

  @Test(arguments: [
    ("without line breaks", body().replacing("\n", with: ""), true),
    (
      "another order of keys",
      body().replacing("\"bvrs\": \"7\",", with: "").dropLast() + ", \"bvrs\": \"7\"}", true
    ),
    ("another password", body().replacing("\"secret\"", with: "\"another\""), true),
    ("no password", body().replacing("\"password\": \"secret\",", with: ""), true),
    (
      "in an envelope", #"{"observed_at_ms": 1767225600000, "app_user_id": "u", "notification": \#(body())}"#,
      true
    ),
    ("another version", body().replacing("\"7\"", with: "\"8\""), false),
    ("a number for text", body().replacing("\"7\"", with: "7"), false),
    ("another type", body("DID_RECOVER"), false),
    ("an unknown field", body(more: "\"new\": {\"a\": [1, true, null]}"), false),
    ("another row", body(rows: [wireRow("3")]), false),
  ])
  func replaysAreDetectedByDigest(_ name: String, _ json: String, _ isSame: Bool) throws {
    #expect(try (notification(json).digest == notification(body()).digest) == isSame)
  }

  /// Stores contain digests, so they must not change.
  @Test func digestsAreStable() throws {
    let json = #"{"notification_type": "CANCEL", "original_transaction_id": 1000000123456789, "#
    let more = #""auto_renew_status": true, "x": [1.5, null, {"b": "ü", "a": -1}]}"#
    #expect(try notification(json + more).digest.hexadecimal == "2b0343a0ad20f40e52e1f2088868cdbe")
  }

  @Test func evidenceIsTheLatestInstantThatHadPassed() throws {
    let row = wireRow("2", "\"expires_date_ms\": \"1769817600000\"")
    let after = Instant(milliseconds: 1_800_000_000_000)
    #expect(
      try notification(body(rows: [row])).evidence(by: after) == Instant(milliseconds: 1_767_225_600_000))
    let failed = [wirePending("\"is_in_billing_retry_period\": \"1\"")]
    #expect(
      try notification(body("DID_FAIL_TO_RENEW", rows: [row], pending: failed)).evidence(by: after)
        == Instant(milliseconds: 1_769_817_600_000))
    #expect(
      try notification(body("DID_FAIL_TO_RENEW", rows: [row], pending: failed)).evidence(by: day(1)) == day(0)
    )
    let switched = "\"auto_renew_status_change_date_ms\": 1768000000000"
    #expect(
      try notification(body("DID_CHANGE_RENEWAL_STATUS", more: switched)).evidence(by: after)
        == Instant(milliseconds: 1_768_000_000_000))
    #expect(try notification(body()).evidence(by: day(-1)) == nil)
  }
}
