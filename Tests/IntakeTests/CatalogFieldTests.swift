import Intake
import Subscriptions
import Testing

/// One field of a catalogue line, with what becomes of it.
struct FieldCase: CustomTestStringConvertible, Sendable {
  var column: String
  var text: String
  /// Why the line is refused; nil where it is not.
  var reason: String?
  var testDescription: String { "\(column) “\(text)”" }

  /// A good line but for this field.
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
    + taken("period", ["P1D", "P3D", "P1W", "P2M", "P1Y"])
    + refused(
      "period", "period is not like P1W, P3D, P1M or P1Y",
      ["", "1M", "P0M", "P-1M", "P1H", "P1M1D", "p1m", "PM", "PT1M"])
    + taken("offer", ["", "trial", "intro", "promo:x", "code:x"])
    + refused(
      "offer", "offer is not empty, trial, intro, promo:<id> or code:<name>",
      ["promo:", "code:", "Trial", "free", "promo"])
    + taken("currency", ["USD", "JPY"])
    + refused(
      "currency", "currency is not an ISO 4217 code like USD", ["", "usd", "US", "USDX", "US$", "ÄÖ"])
    + taken("valid_from", ["", "2026-01-31", "2024-02-29"])
    + refused(
      "valid_from", "valid_from is not a date like 2026-01-31",
      ["2026-02-30", "31.1.2026", "2026-01", "yesterday", "2026-13-01"])
}

/// A price and its exact micros.
struct PriceCase: CustomTestStringConvertible, Sendable {
  var text: String
  /// Nil where the price is refused.
  var micros: Int64?
  var testDescription: String { "“\(text)”" }

  static let all = [
    PriceCase(text: "9.99", micros: 9_990_000), PriceCase(text: "0", micros: 0),
    PriceCase(text: "0.00", micros: 0),
    PriceCase(text: "4.9", micros: 4_900_000), PriceCase(text: "0.000001", micros: 1),
    // Doubles would miss these by a micro.
    PriceCase(text: "0.3", micros: 300_000), PriceCase(text: "1.1", micros: 1_100_000),
    PriceCase(text: "2.675", micros: 2_675_000),
    PriceCase(text: "123456789.123456", micros: 123_456_789_123_456),
    PriceCase(text: "999999999.999999", micros: 999_999_999_999_999),
    PriceCase(text: "1200", micros: 1_200_000_000),
    PriceCase(text: "007", micros: 7_000_000), PriceCase(text: "", micros: nil),
    PriceCase(text: "-1", micros: nil),
    PriceCase(text: "+1", micros: nil), PriceCase(text: "1.", micros: nil),
    PriceCase(text: ".5", micros: nil),
    PriceCase(text: "1.2.3", micros: nil), PriceCase(text: "1e3", micros: nil),
    PriceCase(text: "0.0000001", micros: nil),
    PriceCase(text: "1000000000000", micros: nil), PriceCase(text: "\"9,99\"", micros: nil),
    PriceCase(text: "$9.99", micros: nil),
    PriceCase(text: "٣", micros: nil), PriceCase(text: "1 000", micros: nil),
    PriceCase(text: "NaN", micros: nil),
  ]
}

@Suite("Catalogue fields")
struct CatalogFieldTests {
  @Test(arguments: FieldCase.all)
  func judges(_ example: FieldCase) {
    let reading = CatalogFile.read(Array(example.file.utf8))
    #expect(reading.badLines.map(\.reason) == [example.reason].compactMap(\.self))
    #expect(reading.items.count == (example.reason == nil ? 1 : 0))
  }

  @Test(arguments: PriceCase.all)
  func readsPricesExactly(_ example: PriceCase) {
    let reading = CatalogFile.read(Array(FieldCase(column: "price", text: example.text).file.utf8))
    #expect(reading.items.map(\.price.micros) == [example.micros].compactMap(\.self))
    #expect(reading.badLines.isEmpty == (example.micros != nil))
  }
}
