import Intake
import Subscriptions
import Testing

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

private enum CatalogCases {
  static let good = [
    FileCase("a price", "\(header)\na,g,1,P1M,,9.99,USD,2026-01-31\n", ["a g 1 P1M - 9990000 USD 2026-1-31"]),
    FileCase(
      "everything that may be empty is", "\(header)\na,,,P1M,,9.99,USD,\n", ["a - - P1M - 9990000 USD -"]),
    FileCase(
      "lines that end as on Windows", "\(header)\r\na,g,1,P1M,,9.99,USD,\r\nb,g,2,P1Y,,1,USD,\r\n",
      ["a g 1 P1M - 9990000 USD -", "b g 2 P1Y - 1000000 USD -"]),
    FileCase("a byte order mark", "\u{FEFF}\(header)\na,g,1,P1M,,9.99,USD,\n", ["a g 1 P1M - 9990000 USD -"]),
    FileCase(
      "blank lines and spaces around fields", "\(header)\n\n a , g , 1 , P1M , , 9.99 , USD , \n\n",
      ["a g 1 P1M - 9990000 USD -"]),
    FileCase(
      "quoted fields, with a comma and quotes in them",
      "\(header)\n\"a,\"\"b\"\"\",\"g\",1,P1M,\"\",\"9.99\",USD,\n", ["a,\"b\" g 1 P1M - 9990000 USD -"]),
    FileCase(
      "every offer",
      "\(header)\n"
        + ["", "trial", "intro", "promo:x y", "code:Frühling"].map { "a,g,1,P3D,\($0),1,EUR,\n" }.joined(),
      ["-", "trial", "intro", "promo:x y", "code:Frühling"].map { "a g 1 P3D \($0) 1000000 EUR -" }),
    FileCase(
      "a price that changes",
      "\(header)\na,g,1,P1M,,1,USD,\na,g,1,P1M,,2,USD,2026-01-01\na,g,1,P1M,,3,USD,2026-02-01\n",
      ["a g 1 P1M - 1000000 USD -", "a g 1 P1M - 2000000 USD 2026-1-1", "a g 1 P1M - 3000000 USD 2026-2-1"]),
  ]

  static let faulty = [
    FileCase("nothing", "", bad: ["line 1: the file is empty"]),
    FileCase("blank lines alone", "\n\n", bad: ["line 1: the file is empty"]),
    FileCase("semicolons", header.split(separator: ",").joined(separator: ";") + "\n", bad: [wrongHeader]),
    FileCase(
      "a field too few and one too many", "\(header)\na,g,1,P1M,,9.99,USD\na,g,1,P1M,,9.99,USD,,x\n",
      bad: ["line 2: it has 7 fields instead of 8", "line 3: it has 9 fields instead of 8"]),
    FileCase("no product", "\(header)\n,g,1,P1M,,9.99,USD,\n", bad: ["line 2: product_id is missing"]),
    FileCase(
      "offers of which nothing is seen",
      "\(header)\n"
        + ["promo:\u{200B}", "code:\u{A0}\u{2060}", "promo: "].map { "a,g,1,P1M,\($0),9.99,USD,\n" }.joined(),
      bad: (2...4).map { "line \($0): offer must be empty, trial, intro, promo:<id> or code:<name>" }),
    FileCase(
      "a price twice", "\(header)\na,g,1,P1M,,9.99,USD,\na,g,1,P1M,,8.99,USD,\n",
      ["a g 1 P1M - 9990000 USD -"], bad: ["line 3: the product has this offer and valid_from twice"]),
    FileCase(
      "a header with a column twice", "\(header),price\n",
      bad: [
        "line 1: the header names price more than once, in columns 6 and 9; remove or rename one"
      ]),
    FileCase(
      "bad lines among good ones keep their numbers",
      "\(header)\r\n\r\na,g,1,P1M,,9.99,USD,\r\n\r\nb,g,1,P1M,,free,USD,\r\nc,g,1,P1M,,1,USD,\r\n",
      ["a g 1 P1M - 9990000 USD -", "c g 1 P1M - 1000000 USD -"],
      bad: ["line 5: price is not a decimal like 9.99, with at most nine digits and six places"]),
    FileCase(
      "quotes that are not closed, or stand where none may be, spoil no other line",
      "\(header)\n\"a,g,1,P1M,,9.99,USD,\n\"b\"b,g,1,P1M,,9.99,USD,\nc,g,1,P1M,,1,USD,\n",
      ["c g 1 P1M - 1000000 USD -"],
      bad: ["line 2: a quote is not closed", "line 3: a quote is misplaced"]),
    FileCase(
      "a line that ends as on old Macs", "\(header)\na,g,1,P1M,,9.99,USD,\rb,g,1,P1M,,9.99,USD,\n",
      bad: ["line 2: it contains a line break"]),
  ]
}

@Suite("Catalogue files")
struct CatalogFileTests {
  @Test(arguments: CatalogCases.good + CatalogCases.faulty)
  func reads(_ example: FileCase) {
    let reading = CatalogFile.read(example.bytes)
    #expect(reading.items.map(\.words) == example.items)
    #expect(reading.badLines.map(\.description) == example.bad)
  }

  @Test func refusesInvalidUTF8() {
    let reading = CatalogFile.read(Array(header.utf8) + [0x0A, 0xFF, 0xFE])
    #expect(reading.badLines.map(\.description) == ["line 2: it is not UTF-8 text"])
  }
}
