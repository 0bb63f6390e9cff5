import Intake
import Subscriptions
import Testing

/// Hostile files, some of them found by fuzzing.
@Suite struct HostileFileTests {
  private static let header = CatalogFile.header.joined(separator: ",")

  @Test(arguments: [
    FileCase(
      "a NUL in a product id", "\(header)\nmon\0thly,,,P1M,,9.99,USD,\n",
      bad: ["line 2: it contains a NUL byte"]),
    FileCase(
      "a NUL in a group", "\(header)\nmonthly,g\0,,P1M,,9.99,USD,\n", bad: ["line 2: it contains a NUL byte"]),
    FileCase("nothing but a NUL", "\0", bad: ["line 1: the header is not \(header)"]),
    FileCase(
      "a NUL spoils its line alone", "\(header)\na\0,,,P1M,,9.99,USD,\nb,,,P1M,,9.99,USD,\nc\0\n",
      bad: ["line 2: it contains a NUL byte", "line 4: it contains a NUL byte"]),
    FileCase(
      "invisible ids", "\(header)\n\u{200B},,,P1M,,9.99,USD,\na,\u{A0},,P1M,,9.99,USD,\n",
      bad: ["line 2: product_id is blank", "line 3: subscription_group_id is blank"]),
  ])
  func catalog(_ test: FileCase) {
    let reading = CatalogFile.read(test.bytes)
    #expect(reading.badLines.map(\.description) == test.bad)
    #expect(reading.items.allSatisfy { !$0.productID.rawValue.utf8.contains(0) })
  }

  @Test(arguments: [
    FileCase(
      "a NUL in a user", #"{"receipt-data":"MIIB","app_user_id":"a\u0000b"}"#,
      bad: ["line 1: app_user_id contains a NUL byte"]),
    FileCase(
      "a NUL in a bundle id", #"{"receipt-data":"MIIB","bundle_id":"\u0000"}"#,
      bad: ["line 1: bundle_id contains a NUL byte"]),
    FileCase(
      "a user of white space alone", #"{"receipt-data":"MIIB","app_user_id":" \t"}"#,
      bad: ["line 1: app_user_id is blank"]),
    FileCase(
      "an invisible user, of CSV", "receipt,app_user_id\nMIIB,\u{200B}\n",
      bad: ["line 2: app_user_id is blank"]),
    FileCase(
      "a bundle id of white space alone, of CSV", "receipt,bundle_id\nMIIB,\u{A0}\n",
      bad: ["line 2: bundle_id is blank"]),
    FileCase(
      "a NUL in a receipt", #"{"receipt-data":"MI\u0000IB"}"#,
      bad: ["line 1: receipt-data contains a NUL byte"]),
    FileCase(
      "two receipts in one", #"{"receipt-data":"MIIB","receipt-data":"MIIC"}"#,
      bad: ["line 1: it is not a JSON object with text under receipt-data, app_user_id and bundle_id"]),
    FileCase(
      "two users of one", #"{"receipt-data":"MIIB","app_user_id":"a","app_user_id":"b"}"#,
      bad: ["line 1: it is not a JSON object with text under receipt-data, app_user_id and bundle_id"]),
  ])
  func receipts(_ test: FileCase) {
    let reading = ReceiptsFile.read(test.bytes)
    #expect(reading.badLines.map(\.description) == test.bad)
    #expect(reading.items.isEmpty)
  }

  @Test func aNotificationWithTwoPasswordsIsRefused() {
    let text = #"{"notification_type":"CANCEL","original_transaction_id":"1","password":"a","password":"b"}"#
    #expect(
      NotificationsFile.read(Array(text.utf8)).badLines.map(\.description) == [
        "line 1: it is not a server notification: it has a duplicate key"
      ])
  }

  /// A quadratic reader would not finish these.
  @Test(arguments: [
    FileCase("braces on lines of their own", String(repeating: "{\n", count: 50_000)),
    FileCase("open braces on one line", String(repeating: "{", count: 500_000)),
    FileCase("quotes on lines of their own", "{\n" + String(repeating: "\"\n", count: 50_000)),
    FileCase("empty objects", String(repeating: "{}\n", count: 30_000)),
    FileCase("blank lines", String(repeating: "\n", count: 1_000_000)),
    FileCase("commas", header + "\n" + String(repeating: ",", count: 300_000)),
    FileCase("pairs of quotes", header + "\n\"" + String(repeating: "\"\"", count: 150_000)),
  ])
  func manyOf(_ test: FileCase) {
    let bytes = test.bytes
    #expect(ResponsesFile.read(bytes).items.isEmpty)
    #expect(NotificationsFile.read(bytes).items.isEmpty)
    #expect(ReceiptsFile.read(bytes).items.isEmpty)
    #expect(CatalogFile.read(bytes).items.isEmpty)
    #expect(IDsFile.read(bytes).items.isEmpty)
    #expect(IDsFile.read(Array("profile_id,event_type,transaction_id\n".utf8) + bytes).items.isEmpty)
  }
}
