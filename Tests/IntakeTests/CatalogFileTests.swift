import Intake
import Subscriptions
import Testing

/// Catalogue without its header, with the expected result.
struct CatalogCase: CustomTestStringConvertible, Sendable {
  var name: String
  var text: String
  var items: [String] = []
  var bad: [String] = []
  var testDescription: String { name }
}

private let header = CatalogFile.header.joined(separator: ",")
private let wrongHeader = "line 1: the header is not \(header)"

extension CatalogEntry {
  fileprivate var words: String {
    let from = validFrom.map { "\($0.civilDate.year)-\($0.civilDate.month)-\($0.civilDate.day)" } ?? "-"
    let text = offer.text.isEmpty ? "-" : offer.text
    return
      "\(productID) \(subscriptionGroupID?.rawValue ?? "-") \(level.map(String.init) ?? "-") \(period.iso8601) \(text) "
      + "\(price.micros) \(price.currency) \(from)"
  }
}

extension CatalogCase {
  static let good = [
    CatalogCase(
      name: "a price", text: "\(header)\na,g,1,P1M,,9.99,USD,2026-01-31\n",
      items: ["a g 1 P1M - 9990000 USD 2026-1-31"]),
    CatalogCase(
      name: "everything that may be empty is", text: "\(header)\na,,,P1M,,9.99,USD,\n",
      items: ["a - - P1M - 9990000 USD -"]),
    CatalogCase(
      name: "lines that end as on Windows",
      text: "\(header)\r\na,g,1,P1M,,9.99,USD,\r\nb,g,2,P1Y,,1,USD,\r\n",
      items: ["a g 1 P1M - 9990000 USD -", "b g 2 P1Y - 1000000 USD -"]),
    CatalogCase(
      name: "a byte order mark", text: "\u{FEFF}\(header)\na,g,1,P1M,,9.99,USD,\n",
      items: ["a g 1 P1M - 9990000 USD -"]),
    CatalogCase(
      name: "blank lines and spaces around fields",
      text: "\(header)\n\n a , g , 1 , P1M , , 9.99 , USD , \n\n",
      items: ["a g 1 P1M - 9990000 USD -"]),
    CatalogCase(
      name: "quoted fields, with a comma and quotes in them",
      text: "\(header)\n\"a,\"\"b\"\"\",\"g\",1,P1M,\"\",\"9.99\",USD,\n",
      items: ["a,\"b\" g 1 P1M - 9990000 USD -"]),
    CatalogCase(
      name: "every offer",
      text: "\(header)\n"
        + ["", "trial", "intro", "promo:x y", "code:Frühling"].map { "a,g,1,P3D,\($0),1,EUR,\n" }.joined(),
      items: ["-", "trial", "intro", "promo:x y", "code:Frühling"].map { "a g 1 P3D \($0) 1000000 EUR -" }),
    CatalogCase(
      name: "a price that changes",
      text: "\(header)\na,g,1,P1M,,1,USD,\na,g,1,P1M,,2,USD,2026-01-01\na,g,1,P1M,,3,USD,2026-02-01\n",
      items: [
        "a g 1 P1M - 1000000 USD -", "a g 1 P1M - 2000000 USD 2026-1-1", "a g 1 P1M - 3000000 USD 2026-2-1",
      ]),
  ]

  static let faulty = [
    CatalogCase(name: "nothing", text: "", bad: ["line 1: the file is empty"]),
    CatalogCase(name: "blank lines alone", text: "\n\n", bad: ["line 1: the file is empty"]),
    CatalogCase(
      name: "semicolons", text: header.split(separator: ",").joined(separator: ";") + "\n", bad: [wrongHeader]
    ),
    CatalogCase(
      name: "a field too few and one too many",
      text: "\(header)\na,g,1,P1M,,9.99,USD\na,g,1,P1M,,9.99,USD,,x\n",
      bad: ["line 2: it has 7 fields instead of 8", "line 3: it has 9 fields instead of 8"]),
    CatalogCase(
      name: "no product", text: "\(header)\n,g,1,P1M,,9.99,USD,\n", bad: ["line 2: product_id is missing"]),
    CatalogCase(
      name: "offers of which nothing is seen",
      text: "\(header)\n"
        + ["promo:\u{200B}", "code:\u{A0}\u{2060}", "promo: "].map {
          "a,g,1,P1M,\($0),9.99,USD,\n"
        }.joined(),
      bad: (2...4).map { "line \($0): offer is not empty, trial, intro, promo:<id> or code:<name>" }),
    CatalogCase(
      name: "a price twice", text: "\(header)\na,g,1,P1M,,9.99,USD,\na,g,1,P1M,,8.99,USD,\n",
      items: ["a g 1 P1M - 9990000 USD -"], bad: ["line 3: the product has this offer and valid_from twice"]),
    CatalogCase(
      name: "a header with a column twice", text: "\(header),price\n",
      bad: [
        "line 1: the header names price more than once, in columns 6 and 9; remove one, or give it another name"
      ]),
    CatalogCase(
      name: "bad lines among good ones keep their numbers",
      text: "\(header)\r\n\r\na,g,1,P1M,,9.99,USD,\r\n\r\nb,g,1,P1M,,free,USD,\r\nc,g,1,P1M,,1,USD,\r\n",
      items: ["a g 1 P1M - 9990000 USD -", "c g 1 P1M - 1000000 USD -"],
      bad: ["line 5: price is not a decimal like 9.99, with at most nine digits and six places"]),
    CatalogCase(
      name: "quotes that are not closed, or stand where none may be, spoil no other line",
      text: "\(header)\n\"a,g,1,P1M,,9.99,USD,\n\"b\"b,g,1,P1M,,9.99,USD,\nc,g,1,P1M,,1,USD,\n",
      items: ["c g 1 P1M - 1000000 USD -"],
      bad: ["line 2: a quote is not closed", "line 3: a quote stands where none may be"]),
    CatalogCase(
      name: "a line that ends as on old Macs",
      text: "\(header)\na,g,1,P1M,,9.99,USD,\rb,g,1,P1M,,9.99,USD,\n",
      bad: ["line 2: a line break stands within it"]),
  ]
}

@Suite("Catalogue files")
struct CatalogFileTests {
  @Test(arguments: CatalogCase.good + CatalogCase.faulty)
  func reads(_ example: CatalogCase) {
    let reading = CatalogFile.read(Array(example.text.utf8))
    #expect(reading.items.map(\.words) == example.items)
    #expect(reading.badLines.map(\.description) == example.bad)
  }

  @Test func refusesWhatIsNotText() {
    let reading = CatalogFile.read(Array(header.utf8) + [0x0A, 0xFF, 0xFE])
    #expect(reading.badLines.map(\.description) == ["line 2: it is not UTF-8 text"])
  }
}
