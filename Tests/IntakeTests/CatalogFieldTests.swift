import Intake
import Subscriptions
import Testing

struct FieldCase: CustomTestStringConvertible, Sendable {
  var column: String
  var text: String
  var reason: String?
  var testDescription: String { "\(column) “\(text)”" }

  /// Catalog with one line, whose other fields are valid.
  var file: String {
    let good = [
      "product_id": "a", "subscription_group_id": "g", "level": "1", "period": "P1M", "offer": "",
      "price": "9.99", "currency": "USD", "valid_from": "",
    ]
    let fields = CatalogFile.header.map { $0 == column ? text : good[$0] ?? "" }
    return CatalogFile.header.joined(separator: ",") + "\n" + fields.joined(separator: ",") + "\n"
  }

  static func refused(_ column: String, _ reason: String, _ texts: [String]) -> [FieldCase] {
    texts.map { FieldCase(column: column, text: $0, reason: reason) }
  }

  static func taken(_ column: String, _ texts: [String]) -> [FieldCase] {
    texts.map { FieldCase(column: column, text: $0) }
  }

  static let all =
    taken("level", ["", "1", "10"])
    + refused(
      "level", "level is not a whole number from 1, the highest, to 1000",
      ["0", "-1", "1.5", "high", "9999999999999999999"])
    + refused(
      "product_id", "product_id contains an invisible character, U+00A0; remove it",
      ["a\u{A0}", "\u{A0}a", "a\u{A0}b"])
    + refused(
      "subscription_group_id",
      "subscription_group_id contains an invisible character, U+200B; remove it",
      ["g\u{200B}"])
    + taken("period", ["P1D", "P3D", "P1W", "P2M", "P1Y"])
    + refused(
      "period", "period is not a period like P1W, P3D, P1M or P1Y",
      ["", "1M", "P0M", "P-1M", "P1H", "P1M1D", "p1m", "PM", "PT1M"])
    + taken("offer", ["", "trial", "intro", "promo:x", "code:x"])
    + refused(
      "offer", "offer must be empty, trial, intro, promo:<id> or code:<name>",
      ["promo:", "code:", "Trial", "free", "promo"])
    + taken("currency", ["USD", "JPY"])
    + refused(
      "currency", "currency is not an ISO 4217 code like USD", ["", "usd", "US", "USDX", "US$", "ÄÖ"])
    + taken("valid_from", ["", "2026-01-31", "2024-02-29"])
    + refused(
      "valid_from", "valid_from is not a date like 2026-01-31",
      ["2026-02-30", "31.1.2026", "2026-01", "yesterday", "2026-13-01"])
}

@Suite("Catalogue fields")
struct CatalogFieldTests {
  @Test(arguments: FieldCase.all)
  func judges(_ example: FieldCase) {
    let reading = CatalogFile.read(Array(example.file.utf8))
    #expect(reading.badLines.map(\.reason) == [example.reason].compactMap(\.self))
    #expect(reading.items.count == (example.reason == nil ? 1 : 0))
  }

  @Test(
    arguments: [
      ("9.99", 9_990_000), ("0", 0), ("0.00", 0), ("4.9", 4_900_000), ("0.000001", 1),
      ("1200", 1_200_000_000),
      // `Double` would be wrong by a micro.
      ("0.3", 300_000), ("1.1", 1_100_000), ("2.675", 2_675_000), ("123456789.123456", 123_456_789_123_456),
      ("999999999.999999", 999_999_999_999_999), ("007", 7_000_000), ("", nil), ("-1", nil), ("+1", nil),
      ("1.", nil), (".5", nil), ("1.2.3", nil), ("1e3", nil), ("0.0000001", nil), ("1000000000000", nil),
      ("\"9,99\"", nil), ("$9.99", nil), ("٣", nil), ("1 000", nil), ("NaN", nil),
    ] as [(String, Int64?)])
  func readsPricesExactly(_ text: String, _ micros: Int64?) {
    let reading = CatalogFile.read(Array(FieldCase(column: "price", text: text).file.utf8))
    #expect(reading.items.map(\.price.single) == [micros].compactMap(\.self))
    #expect(reading.badLines.isEmpty == (micros != nil))
  }
}
