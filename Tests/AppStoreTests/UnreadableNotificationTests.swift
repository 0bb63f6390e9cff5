import AppStore
import Subscriptions
import Testing

@Suite struct UnreadableNotificationTests {
  /// Value that must not appear in any message.
  private static let secret = "s3cr3t7777"

  struct Case: CustomTestStringConvertible {
    let name: String
    let json: String
    let says: String
    var testDescription: String { name }
  }

  private static func with(_ field: String) -> String {
    "{\"notification_type\": \"CANCEL\", \"original_transaction_id\": 1, \(field)}"
  }

  @Test(arguments: [
    Case(name: "an array", json: "[\(body())]", says: "the body has the wrong type"),
    Case(name: "null", json: "null", says: "the body"),
    Case(name: "cut off", json: String(body(rows: [wireRow(secret)]).dropLast(9)), says: "JSON"),
    Case(
      name: "an answer of verifyReceipt", json: wire(latest: [wireRow(secret)]),
      says: "notification_type is missing"),
    Case(
      name: "no type", json: "{\"notification_type\": null, \"password\": \"\(secret)\"}",
      says: "notification_type is missing"),
    Case(
      name: "a notification that is text", json: "{\"notification\": \"\(secret)\"}",
      says: "notification has the wrong type"),
    Case(
      name: "no chain", json: "{\"notification_type\": \"CANCEL\", \"password\": \"\(secret)\"}",
      says: "neither original_transaction_id nor a transaction"),
    Case(
      name: "a password that is a number", json: with("\"password\": 77777777"),
      says: "password has the wrong type"),
    Case(
      name: "a unified receipt that is text", json: with("\"unified_receipt\": \"\(secret)\""),
      says: "unified_receipt has the wrong type"),
    Case(
      name: "a status that is a word", json: with("\"unified_receipt\": {\"status\": \"\(secret)\"}"),
      says: "unified_receipt.status cannot be read: it is not a number"),
    Case(
      name: "a row without its id",
      json: with("\"unified_receipt\": {\"latest_receipt_info\": {\"product_id\": \"\(secret)\"}}"),
      says: "unified_receipt.latest_receipt_info.transaction_id is missing"),
    Case(
      name: "a NUL", json: with("\"auto_renew_product_id\": \"\\u0000\(secret)\""),
      says: "auto_renew_product_id cannot be read: it holds a NUL"),
    Case(name: "version 2, signed", json: "{\"signedPayload\": \"\(secret)\"}", says: "version 2"),
    Case(
      name: "version 2, decoded",
      json: "{\"notificationType\": \"REFUND\", \"notificationUUID\": \"\(secret)\", \"data\": {}}",
      says: "version 2"),
    Case(
      name: "version 2 in an envelope", json: "{\"notification\": {\"signedPayload\": \"\(secret)\"}}",
      says: "version 2"),
    Case(name: "signed JSON itself", json: "eyJ\(secret).e30.c2ln", says: "version 2"),
  ])
  func namesTheFieldAndNeverTheContent(_ test: Case) {
    var reason = ""
    do {
      _ = try kept(test.json)
      Issue.record("it was read")
    } catch {
      reason = "\(error)"
    }
    #expect(reason.contains(test.says), "\(reason)")
    #expect(!reason.contains(Self.secret) && !reason.contains("7777"), "\(reason)")
  }

  /// Unusual, but harmless bodies.
  @Test(arguments: [
    body(more: "\"junk\": {\"\(secret)\": [[[{}]], 1e30, -0.5, \"\\ud83d\\ude00\"]}"),
    body(more: "\"junk\": \"\\u0000\""),
    body().replacing("\"secret\"", with: "null"),
    body().replacing("\"secret\"", with: "\"\""),
    body().replacing("\"original_transaction_id\": 1,", with: "\"original_transaction_id\": \"1\","),
    body().replacing("\"MIIB\"", with: "\"<base 64>\""),
  ])
  func oddThingsAreRead(_ json: String) throws {
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
