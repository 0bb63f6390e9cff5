import AppStore
import Intake
import Subscriptions
import Testing

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
  /// Items are written as line number, type, app user and clock, with `-` for a missing value.
  @Test(arguments: [
    FileCase("a bare notification", body(), ["1 DID_RENEW - -"]),
    FileCase(
      "JSON Lines, with blank lines", "\u{FEFF}\(body())\r\n\r\n\(body("CANCEL"))\n",
      ["1 DID_RENEW - -", "3 CANCEL - -"]),
    FileCase("one value over several lines", "\n\(pretty)\n", ["2 CANCEL - -"]),
    FileCase(
      "in an envelope", #"{"app_user_id":"u1","observed_at_ms":1700000000123,"notification":\#(body())}"#,
      ["1 DID_RENEW u1 1700000000123"]),
    FileCase("without a password, which is for others to judge", body(password: "null"), ["1 DID_RENEW - -"]),
    FileCase(
      "both versions, and a payload by itself",
      "{\"signedPayload\":\"eyJh.eyJi.c\"}\n\(body())\neyJh.eyJi.c\r\n"
        + #"{"app_user_id":"u","notification":{"signedPayload":"eyJh.eyJi.c"}}"#,
      ["1 signed", "2 DID_RENEW - -", "3 signed", "4 signed"]),
    FileCase("nothing", "", bad: ["line 1: the file is empty"]),
    FileCase("an array", "[\(body())]", bad: ["line 1: \(unreadable)the body has the wrong type"]),
    FileCase(
      "bad lines among good ones", "{}\n\(body())\n\(body().dropLast(9))\n\(body("CANCEL"))",
      ["2 DID_RENEW - -", "4 CANCEL - -"],
      bad: [
        "line 1: \(unreadable)notification_type is missing", "line 3: \(unreadable)it is not complete JSON",
      ]),
    FileCase(
      "version 2", #"{"signedPayload":"eyJ.s3cr3t"}"#,
      bad: [
        "line 1: \(unreadable)it is not a JWS: three base64url parts separated by dots"
      ]),
    FileCase(
      "version 2 without its signature", #"{"notificationUUID":"s3cr3t","data":{}}"#,
      bad: [
        "line 1: \(unreadable)it is a decoded version 2 notification; import the original body with signedPayload"
      ]),
  ])
  func areReadOrNamed(_ test: FileCase) {
    let reading = NotificationsFile.read(test.bytes)
    let items = zip(reading.lines, reading.items).map { number, line in
      guard case .version1(let kept) = line.body else { return "\(number) signed" }
      let item = kept.notification
      return "\(number) \(item.facts.type) \(item.appUserID?.rawValue ?? "-") "
        + (item.observedAt.map { String($0.rawValue) } ?? "-")
    }
    #expect(items == test.items)
    #expect(reading.badLines.map(\.description) == test.bad)
    #expect(!"\(reading)".contains("s3cr3t"))
  }
}
