import AppStore
import Intake
import Subscriptions
import Testing

struct NotificationsCase: CustomTestStringConvertible, Sendable {
  var name: String
  var text: String
  /// Type, app user and clock of each notification.
  var items: [String] = []
  var lines: [Int] = []
  var bad: [String] = []
  var testDescription: String { name }
}

private func body(_ type: String = "DID_RENEW", password: String = "\"s3cr3t\"") -> String {
  """
  {"notification_type":"\(type)","password":\(password),"environment":"PROD","bid":"com.example.app",\
  "original_transaction_id":1}
  """
}

private let pretty = """
  {
    "notification_type": "CANCEL",
    "password": "s3cr3t",
    "original_transaction_id": "1"
  }
  """

private let unreadable = "it is not a server notification: "

@Suite struct NotificationsFileTests {
  @Test(arguments: [
    NotificationsCase(name: "a bare notification", text: body(), items: ["DID_RENEW - -"], lines: [1]),
    NotificationsCase(
      name: "JSON Lines, with blank lines", text: "\u{FEFF}\(body())\r\n\r\n\(body("CANCEL"))\n",
      items: ["DID_RENEW - -", "CANCEL - -"], lines: [1, 3]),
    NotificationsCase(
      name: "one value over several lines", text: "\n\(pretty)\n", items: ["CANCEL - -"], lines: [2]),
    NotificationsCase(
      name: "in an envelope",
      text: #"{"app_user_id":"u1","observed_at_ms":1700000000123,"notification":\#(body())}"#,
      items: ["DID_RENEW u1 1700000000123"], lines: [1]),
    NotificationsCase(
      name: "without a password, which is for others to judge", text: body(password: "null"),
      items: ["DID_RENEW - -"], lines: [1]),
    NotificationsCase(
      name: "both versions, and a payload by itself",
      text: "{\"signedPayload\":\"eyJh.eyJi.c\"}\n\(body())\neyJh.eyJi.c\r\n"
        + #"{"app_user_id":"u","notification":{"signedPayload":"eyJh.eyJi.c"}}"#,
      items: ["signed", "DID_RENEW - -", "signed", "signed"], lines: [1, 2, 3, 4]),
  ])
  func areRead(_ test: NotificationsCase) { check(test) }

  @Test(arguments: [
    NotificationsCase(name: "nothing", text: "", bad: ["line 1: the file is empty"]),
    NotificationsCase(
      name: "an array", text: "[\(body())]", bad: ["line 1: \(unreadable)the body has the wrong type"]),
    NotificationsCase(
      name: "bad lines among good ones", text: "{}\n\(body())\n\(body().dropLast(9))\n\(body("CANCEL"))",
      items: ["DID_RENEW - -", "CANCEL - -"], lines: [2, 4],
      bad: [
        "line 1: \(unreadable)notification_type is missing", "line 3: \(unreadable)it is not complete JSON",
      ]),
    NotificationsCase(
      name: "version 2", text: #"{"signedPayload":"eyJ.s3cr3t"}"#,
      bad: [
        "line 1: \(unreadable)it is no signed JSON, which has three parts in base64url with a dot between them"
      ]),
    NotificationsCase(
      name: "version 2 without its signature", text: #"{"notificationUUID":"s3cr3t","data":{}}"#,
      bad: [
        "line 1: \(unreadable)it is of version 2, and not as Apple signed it; give the body that has its signedPayload"
      ]),
  ])
  func nameEveryBadLine(_ test: NotificationsCase) { check(test) }

  private func check(_ test: NotificationsCase) {
    let reading = NotificationsFile.read(Array(test.text.utf8))
    let items = reading.items.map { line in
      guard case .version1(let kept) = line.body else { return "signed" }
      let item = kept.notification
      return "\(item.facts.type) \(item.appUserID?.rawValue ?? "-") "
        + (item.observedAt.map { String($0.rawValue) } ?? "-")
    }
    #expect(items == test.items)
    #expect(reading.lines == test.lines)
    #expect(reading.badLines.map(\.description) == test.bad)
    #expect(!"\(reading)".contains("s3cr3t"))
  }
}
