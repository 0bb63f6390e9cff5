import AppStore
import Subscriptions
import Testing

@Suite struct UnreadableNotificationTests {
  /// Value that must not appear in any message.
  private static let secret = "s3cr3t7777"

  private static func with(_ field: String) -> String {
    "{\"notification_type\": \"CANCEL\", \"original_transaction_id\": 1, \(field)}"
  }

  @Test(arguments: [
    ("an array", "[\(body())]", "the body has the wrong type"),
    ("null", "null", "the body"),
    ("cut off", String(body(rows: [wireRow(secret)]).dropLast(9)), "JSON"),
    ("a verifyReceipt answer", wire(latest: [wireRow(secret)]), "notification_type is missing"),
    ("no type", "{\"notification_type\": null, \"password\": \"\(secret)\"}", "notification_type is missing"),
    ("a notification that is text", "{\"notification\": \"\(secret)\"}", "notification has the wrong type"),
    (
      "no chain", "{\"notification_type\": \"CANCEL\", \"password\": \"\(secret)\"}",
      "neither original_transaction_id nor a transaction"
    ),
    ("a password that is a number", with("\"password\": 77777777"), "password has the wrong type"),
    (
      "a unified receipt that is text", with("\"unified_receipt\": \"\(secret)\""),
      "unified_receipt has the wrong type"
    ),
    (
      "a status that is a word", with("\"unified_receipt\": {\"status\": \"\(secret)\"}"),
      "unified_receipt.status cannot be read: it is not a number"
    ),
    (
      "a row without its id",
      with("\"unified_receipt\": {\"latest_receipt_info\": {\"product_id\": \"\(secret)\"}}"),
      "unified_receipt.latest_receipt_info.transaction_id is missing"
    ),
    (
      "a NUL", with("\"auto_renew_product_id\": \"\\u0000\(secret)\""),
      "auto_renew_product_id cannot be read: it contains a NUL byte"
    ),
    ("version 2, signed", "{\"signedPayload\": \"\(secret)\"}", "version 2"),
    (
      "version 2, decoded",
      "{\"notificationType\": \"REFUND\", \"notificationUUID\": \"\(secret)\", \"data\": {}}", "version 2"
    ),
    ("version 2 in an envelope", "{\"notification\": {\"signedPayload\": \"\(secret)\"}}", "version 2"),
    ("signed JSON itself", "eyJ\(secret).e30.c2ln", "version 2"),
  ])
  func namesTheFieldAndNeverTheContent(_ name: String, _ json: String, _ says: String) throws {
    let reason = try #require(throws: UnreadableAnswer.self) { try kept(json) }.reason
    #expect(reason.contains(says), "\(reason)")
    #expect(!reason.contains(Self.secret) && !reason.contains("7777"), "\(reason)")
  }

  @Test(arguments: [
    body(more: "\"junk\": {\"\(secret)\": [[[{}]], 1e30, -0.5, \"\\ud83d\\ude00\"]}"),
    body(more: "\"junk\": \"\\u0000\""),
    body().replacing("\"secret\"", with: "null"),
    body().replacing("\"secret\"", with: "\"\""),
    body().replacing("\"original_transaction_id\": 1,", with: "\"original_transaction_id\": \"1\","),
    body().replacing("\"MIIB\"", with: "\"<base 64>\""),
  ])
  func readsUnusualNotifications(_ json: String) throws {
    #expect(try notification(json).facts.type == .didRenew)
  }

  @Test func aPasswordNeverShowsItself() throws {
    let read = try kept(body().replacing("\"secret\"", with: "\"\(Self.secret)\""))
    var dumped = ""
    dump(read, to: &dumped)
    for text in ["\(read)", String(reflecting: read), "\(Optional(read.password) as Any)", dumped] {
      #expect(!text.contains(Self.secret))
    }
  }
}
