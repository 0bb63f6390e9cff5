import Intake
import Subscriptions
import TestSupport
import Testing

extension AppleReportItem {
  var words: String {
    switch self {
    case .begin(let report, let needsDay):
      let days = report.from == report.through ? [report.from] : [report.from, report.through]
      let name = ([report.vendor, report.region].filter { !$0.isEmpty }).joined(separator: " ")
      return "\(report.kind.rawValue) \(name) "
        + (needsDay ? "?" : days.map(\.words).joined(separator: " to "))
    case .row(let row): return row.words
    case .end(let lines, _): return "\(lines) lines"
    }
  }
}

extension AppleReportRow {
  fileprivate var words: String {
    func words(_ name: String, _ money: Money?) -> String? {
      money.map { "\(name) \($0.currency) \($0.micros)" }
    }
    return [
      day.daysSince1970 == 0 ? "-" : day.words, measure.rawValue, "\(units)", appleID, product?.rawValue,
      storefront.rawValue, offer.isEmpty ? nil : offer, words("at", price), words("paid", amount),
      words("proceeds", proceeds), subscriber.map { "by \($0)" }, purchased.map { "bought \($0.words)" },
      settled.map { "settled \($0.words)" },
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension CivilDate {
  fileprivate var words: String { Instant(startOf: self).dateText }
}

struct ReportCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let name: String
  let text: String
  var items: [String] = []
  var bad: [String] = []
  var remarks: [LineRemark: Int] = [:]

  /// - Parameter lines: Lines of the file, with `|` for each tab.
  init(
    _ description: String, _ name: String = "", _ lines: String..., items: [String] = [], bad: [String] = [],
    remarks: [LineRemark: Int] = [:]
  ) {
    (testDescription, self.name) = (description, name)
    text = lines.map { $0.replacing("|", with: "\t") + "\n" }.joined()
    (self.items, self.bad, self.remarks) = (items, bad, remarks)
  }
}

enum ReportCases {
  static let sales =
    "Provider|Provider Country|SKU|Developer|Title|Version|Product Type Identifier|Units|Developer Proceeds|Begin Date|End Date|Customer Currency|Country Code|Currency of Proceeds|Apple Identifier|Customer Price|Promo Code|Parent Identifier|Subscription|Period|Category|CMB|Device|Supported Platforms|Proceeds Reason|Preserved Pricing|Client|Order Type"
  static func sale(
    _ units: String, _ proceeds: String, _ price: String, type: String = "IAY", country: String = "US",
    from: String = "02/18/2026", through: String = "02/18/2026", currency: String = "USD", order: String = " "
  ) -> String {
    "APPLE|US|gold| |Gold| |\(type)|\(units)|\(proceeds)|\(from)|\(through)|\(currency)|\(country)|\(currency)|4711|\(price)| |app|Renewal|1 Month|Games||iPhone|iOS| | | |\(order)"
  }
  static let balances =
    "App Name|App Apple ID|Subscription Name|Subscription Apple ID|Subscription Group ID|Standard Subscription Duration|Subscription Offer Name|Promotional Offer ID|Customer Price|Customer Currency|Developer Proceeds|Proceeds Currency|Preserved Pricing|Proceeds Reason|Client|Device|State|Country|Active Standard Price Subscriptions|Active Free Trial Introductory Offer Subscriptions|Billing Retry|Subscribers|Free Trial Win-back Offers"
  static func balance(_ country: String, _ counts: String, price: String = "9.99") -> String {
    "App|1|Gold|4711|2|1 Month| | |\(price)|USD|8.49|USD||||iPhone|CA|\(country)|\(counts)"
  }
  static let events = "Event Date|Event|Subscription Apple ID|Country|Subscription Offer Type|State|Quantity"
  static let subscribers =
    "Event Date|Subscription Apple ID|Subscription Offer Type|Customer Price|Customer Currency|Developer Proceeds|Proceeds Currency|Country|Subscriber ID|Subscriber ID Reset|Refund|Purchase Date|Units"
  static let details =
    "Transaction Date|Settlement Date|Apple Identifier|SKU|Title|Developer Name|Product Type Identifier|Country of Sale|Quantity|Partner Share|Extended Partner Share|Partner Share Currency|Customer Price|Customer Currency|Sale or Return|Promo Code|Order Type|Region"
  static let month = ["Vendor Name|Example", "Start Date|11/02/2025", "End Date|11/29/2025"]
  static let financial =
    "Start Date|End Date|UPC|ISRC/ISBN|Vendor Identifier|Quantity|Partner Share|Extended Partner Share|Partner Share Currency|Sales or Return|Apple Identifier|Artist/Show/Developer/Author|Title|Label/Studio/Network/Developer/Publisher|Grid|Product Type Identifier|ISAN/Other Identifier|Country Of Sale|Pre-order Flag|Promo Code|Customer Price|Customer Currency"
  static func share(_ quantity: String, _ share: String, _ total: String, _ sale: String = "S") -> String {
    "11/02/2025|11/29/2025|||gold|\(quantity)|\(share)|\(total)|USD|\(sale)|4711||Gold|||IAY||US|||4.49|USD"
  }

  static let good = [
    ReportCase(
      "sales: renewals, a refund, an upgrade credit and a download", "S_D_85012345_20260218.txt", sales,
      sale("3", "8.49", "9.99", order: "Pay As You Go Intro Offer"),
      sale("-2", "8.49", "-9.99", type: "IAY-M"),
      sale("0", "59.80", "-85.43", country: "RU", currency: "RUB"), sale("7", "0.00", "0.00", type: "1"),
      items: [
        "sales 85012345 2026-02-18",
        "2026-02-18, sale, 3, 4711, gold, USA, Pay As You Go Intro Offer, at USD 9990000, paid USD 29970000, proceeds USD 25470000",
        "2026-02-18, refund, -2, 4711, gold, USA, at USD 9990000, paid USD -19980000, proceeds USD -16980000",
        "2026-02-18, upgrade credit, 0, 4711, gold, RUS, at RUB 85430000, paid RUB -85430000, proceeds RUB -59800000",
        "2026-02-18, other product, 7, 4711, gold, USA, at USD 0, paid USD 0, proceeds USD 0", "4 lines",
      ]),
    ReportCase(
      "sales without a name take the days of their rows", "", sales,
      sale("1", "8.49", "9.99", currency: "USD"),
      items: [
        "sales  2026-02-18",
        "2026-02-18, sale, 1, 4711, gold, USA, at USD 9990000, paid USD 9990000, proceeds USD 8490000",
        "1 lines",
      ]),
    ReportCase(
      "sales without a row, by the name", "/tmp/x/S_D_85012345_20260218 (1).txt.gz", sales,
      items: ["sales 85012345 2026-02-18", "0 lines"]),
    ReportCase(
      "balances: a row for each count, none for zeros and blanks", "Subscription_85012345_20260218_V1_3.txt",
      balances, balance("CN", "3|0|1||0"), balance("ZZ", "0|2|0| |1", price: "0.00"),
      items: [
        "subscription 85012345 2026-02-18",
        "-, active standard price subscriptions, 3, 4711, CHN, at USD 9990000",
        "-, billing retry, 1, 4711, CHN, at USD 9990000",
        "-, active free trial introductory offer subscriptions, 2, 4711, ZZ, at USD 0",
        "-, free trial win back offers, 1, 4711, ZZ, at USD 0", "2 lines",
      ]),
    ReportCase(
      "balances in another order and spelling, with a count and a text that are not known", "",
      "COUNTRY|Win-Back Tickets|Colour|subscription apple id|Billing-Retry|customer price|Customer Currency|Grace Period",
      "US|5|red|4711|1|9.99|USD|0",
      items: [
        "subscription  ?", "-, win back tickets, 5, 4711, USA, at USD 9990000",
        "-, billing retry, 1, 4711, USA, at USD 9990000", "1 lines",
      ], remarks: [.unknownColumn("Win-Back Tickets"): 1, .unknownColumn("Colour"): 1]),
    ReportCase(
      "events, one of them unknown and one in old words", "Subscription_Event_85012345_20260218_V1_3.txt",
      events, "2026-02-17|Renew|4711|US| |CA|2",
      "2026-02-18|Cancelled from Billing Retry|4711|US|Free Trial||1",
      "2026-02-18|Teleport|4711|US|||4", "2026-02-18|Teleport|4711|US|||1",
      items: [
        "events 85012345 2026-02-18", "2026-02-17, renew, 2, 4711, USA",
        "2026-02-18, canceled from billing retry, 1, 4711, USA, Free Trial",
        "2026-02-18, teleport, 4, 4711, USA",
        "2026-02-18, teleport, 1, 4711, USA", "4 lines",
      ], remarks: [.unknownEvent("teleport"): 1]),
    ReportCase(
      "subscribers: a purchase, a refund and an upgrade credit", "Subscriber_85012345_20260218_V1_2.txt",
      subscribers, "2026-02-18|4711|Pay as you go|299.00|RUB|209.30|RUB|RU|77||||1",
      "2026-02-18|4711||-9.99|USD|8.49|USD|US|78||Yes|2026-02-01|-1",
      "2026-02-18|4711||-85.43|RUB|59.80|RUB|RU|79| |Yes|2020-09-30|0",
      items: [
        "subscriber 85012345 2026-02-18",
        "2026-02-18, sale, 1, 4711, RUS, Pay as you go, at RUB 299000000, paid RUB 299000000, proceeds RUB 209300000, by 77",
        "2026-02-18, refund, -1, 4711, USA, at USD 9990000, paid USD -9990000, proceeds USD -8490000, by 78, bought 2026-02-01",
        "2026-02-18, upgrade credit, 0, 4711, RUS, at RUB 85430000, paid RUB -85430000, proceeds RUB -59800000, by 79, bought 2020-09-30",
        "3 lines",
      ]),
    ReportCase(
      "details of a fiscal month, whose rows end with a tab", "FinanceDetail_Z1_2026-02.txt", month[0],
      month[1],
      month[2], details, "10/28/2025|11/07/2025|4711|gold|Gold||IAY|CN|2|18.53|37.06|CNY|22.000|CNY|S||||",
      "11/12/2025|11/12/2025|4711|gold|Gold||IAY|CN|-1|18.53|-18.53|CNY|-22.000|CNY|R||||",
      "11/12/2025|11/12/2025|12|life|Life||IA1|CN|1|46.36|46.36|CNY|59.990|CNY|S||||",
      items: [
        "finance_detail Z1 2025-11-02 to 2025-11-29",
        "2025-10-28, sale, 2, 4711, gold, CHN, at CNY 22000000, paid CNY 44000000, proceeds CNY 37060000, settled 2025-11-07",
        "2025-11-12, refund, -1, 4711, gold, CHN, at CNY 22000000, paid CNY -22000000, proceeds CNY -18530000, settled 2025-11-12",
        "2025-11-12, other product, 1, 12, life, CHN, at CNY 59990000, paid CNY 59990000, proceeds CNY 46360000, settled 2025-11-12",
        "3 lines",
      ]),
    ReportCase(
      "a financial report with its totals, and a summary below", "85012345_0226_US.txt", financial,
      share("5", "6.30", "31.50"), share("-1", "3.15", "-3.15", "R"), "Total_Rows|2", "Total_Amount|28.35",
      "Total_Units|4", "Country Of Sale|Quantity", "US|4",
      items: [
        "financial 85012345 US 2025-11-02 to 2025-11-29",
        "2025-11-02, sale, 5, 4711, gold, USA, at USD 4490000, paid USD 22450000, proceeds USD 31500000",
        "2025-11-02, refund, -1, 4711, gold, USA, at USD 4490000, paid USD -4490000, proceeds USD -3150000",
        "2 lines",
      ]),
  ]
}

extension ReportCases {
  static let day = "is not a day like 02/18/2026 or 2026-02-18, from 2008-07-10 to 2099-12-31"
  static let price = "customer price is not a decimal like 9.99, with at most nine digits and six places"

  static let refused = [
    ReportCase("nothing", bad: ["line 1: the file is empty"]),
    ReportCase(
      "another file", "a.txt", "a|b|c",
      bad: [
        "line 1: the header is of none of Apple's reports that are read: Sales Summary, Subscription, Subscription Event, Subscriber, Financial, Finance Detail"
      ]),
    ReportCase(
      "a column that is missing", "", sales.replacing("|Customer Price|", with: "|Price|"),
      bad: ["line 1: the header of a Sales Summary report lacks the column customer price"]),
    ReportCase(
      "a column twice", "", events + "|EVENT", bad: ["line 1: the header has two columns of the same name"]),
    ReportCase(
      "rows of wrong width", "", events, "2026-02-18|Renew|1|US||", "2026-02-18|Renew|1|US|||1|x",
      "2026-02-18|Renew|1|US|||1", items: ["events  ?", "2026-02-18, renew, 1, 1, USA", "1 lines"],
      bad: ["line 2: it has 6 fields instead of 7", "line 3: it has 8 fields instead of 7"]),
    ReportCase(
      "unreadable fields of events", "", events, "18.02.2026|Renew|1|US|||1", "2026-02-30|Renew|1|US|||1",
      "2007-12-31|Renew|1|US|||1", "2026-02-18|!?|1|US|||1", "2026-02-18|Renew||US|||1",
      "2026-02-18|Renew|1|Texas|||1", "2026-02-18|Renew|1|US|||1.5", "2026-02-18|Renew|1|US|||",
      "2026-02-18|Renew|1|US|||1e3", "2026-02-18|Renew|1|US|||9999999999",
      items: ["events  ?", "0 lines"],
      bad: [
        "line 2: event date \(day)", "line 3: event date \(day)", "line 4: event date \(day)",
        "line 5: event is empty", "line 6: subscription apple id is empty, or longer than 128 bytes",
        "line 7: country is not a code like US",
      ] + (8...11).map { "line \($0): quantity is not a whole number of at most nine digits" }),
    ReportCase(
      "unreadable fields of sales", "", sales, sale("1", "x", "9.99"), sale("1", "8.49", "9,99"),
      sale("1", "8.49", "9."), sale("1", "8.49", "1.1234567"), sale("1", "8.49", "9.99", currency: "usd"),
      sale("999999999", "8.49", "999999999"),
      items: ["0 lines"],
      bad: [
        "line 2: developer proceeds is not a decimal like 9.99, with at most nine digits and six places",
        "line 3: \(price)", "line 4: \(price)", "line 5: \(price)",
        "line 6: customer currency is not an ISO 4217 code like USD",
        "line 7: customer price times units is too large",
      ]),
    ReportCase(
      "sales of a week", "", sales, sale("1", "8.49", "9.99", through: "02/24/2026"),
      items: ["sales  ?", "0 lines"],
      bad: ["line 2: it covers more than one day; import the daily reports instead"]),
    ReportCase(
      "another day among the rows", "", sales, sale("1", "8.49", "9.99"),
      sale("1", "8.49", "9.99", from: "02/19/2026", through: "02/19/2026"),
      items: [
        "sales  2026-02-18",
        "2026-02-18, sale, 1, 4711, gold, USA, at USD 9990000, paid USD 9990000, proceeds USD 8490000",
        "1 lines",
      ], bad: ["line 3: its days are not those of the first row"]),
    ReportCase(
      "a count that is none", "", balances, balance("US", "x|0|0|0|0"),
      items: ["subscription  ?", "0 lines"],
      bad: ["line 2: active standard price subscriptions is not a whole number"]),
    ReportCase(
      "neither a sale nor a return", "", month[1], month[2], details,
      "11/12/2025|11/12/2025|4711|gold|Gold||IAY|CN|1|18.53|18.53|CNY|22.000|CNY|X|||",
      "11/12/2025||4711|gold|Gold||IAY|CN|1|18.53|18.53|CNY|22.000|CNY|S|||",
      items: [
        "finance_detail  2025-11-02 to 2025-11-29",
        "2025-11-12, sale, 1, 4711, gold, CHN, at CNY 22000000, paid CNY 22000000, proceeds CNY 18530000",
        "1 lines",
      ], bad: ["line 4: sale or return is neither S nor R"]),
    ReportCase(
      "a refund that is neither", "", subscribers, "2026-02-18|4711||9.99|USD|8.49|USD|US|77||Perhaps||1",
      items: ["subscriber  ?", "0 lines"], bad: ["line 2: refund is neither Yes nor empty"]),
    ReportCase(
      "details without their month", "", details,
      bad: ["line 1: there is no Start Date before an End Date above the header"]),
    ReportCase(
      "details whose month is none", "", "Start Date|November",
      bad: ["line 1: it has no header"]),
    ReportCase(
      "a financial report that is cut", "", financial, share("5", "6.30", "31.50"), "Total_Rows|2",
      share("5", "6.30", "31.50"),
      items: [
        "financial  2025-11-02 to 2025-11-29",
        "2025-11-02, sale, 5, 4711, gold, USA, at USD 4490000, paid USD 22450000, proceeds USD 31500000",
        "1 lines",
      ],
      bad: [
        "line 3: Total_Rows differs from the number of rows in the file, 1; download the report again",
        "line 4: a row follows the totals",
      ]),
    ReportCase(
      "a NUL, and a line without end", "", events, "2026-02-18|Renew\0|1|US|||1",
      "2026-02-18|Renew|1|US||\(String(repeating: "x", count: 70_000))|1", items: ["events  ?", "0 lines"],
      bad: [
        "line 2: it has a NUL byte, or more than 64 KiB", "line 3: it has a NUL byte, or more than 64 KiB",
      ]),
    ReportCase(
      "a header of many columns", "", String(repeating: "a|", count: 300),
      bad: ["line 1: the header has more than 200 columns, or a name over 255 bytes"]),
  ]
}

@Suite("Files of Apple's reports") struct AppleReportsFileTests {
  @Test(arguments: ReportCases.good + ReportCases.refused)
  func reads(_ example: ReportCase) {
    for text in [example.text, example.text.replacing("\n", with: "\r\n")] {
      let reading = AppleReportsFile.read(Array(text.utf8), named: example.name)
      #expect(reading.items.map(\.words) == example.items)
      #expect(reading.badLines.map(\.description) == example.bad)
      #expect(reading.remarks == example.remarks)
    }
  }

  @Test(arguments: [
    ("S_D_85012345_20260218.txt", "85012345 2026-02-18"), ("85012345.txt", "85012345 ?"),
    ("Subscriber_20201005_20201006.txt", "20201005 2020-10-06"), ("report.tsv", " ?"),
    ("/a/85012345_20260218/Subscription_Event_20260218.txt.gz", " 2026-02-18"),
    ("S_D_85012345_20261318.txt", "85012345 ?"), ("standard input", " ?"),
    ("S_D_85012345_19990101", "85012345 ?"),
  ])
  func namesShowVendorAndDay(_ name: String, _ says: String) {
    let text = ReportCases.events.replacing("|", with: "\t")
    let reading = AppleReportsFile.read(Array(text.utf8), named: name)
    #expect(reading.items.first?.words == "events \(says)")
  }

  /// The digest depends on the lines, not on their order, line breaks or compression.
  @Test func theDigestIsOfTheContent() throws {
    func digest(_ text: String) throws -> UInt128 {
      let items = AppleReportsFile.read(Array(text.replacing("|", with: "\t").utf8)).items
      guard case .end(_, let digest) = try #require(items.last) else { return 0 }
      return digest
    }
    let (one, two) = ("2026-02-18|Renew|1|US|||1\n", "2026-02-18|Cancel|1|US|||1\n")
    let whole = try digest(ReportCases.events + "\n" + one + two)
    #expect(try digest(ReportCases.events + "\r\n" + two + one.dropLast()) == whole)
    for other in [one, one + one + two, one + two.replacing("||1", with: "||2")] {
      #expect(try digest(ReportCases.events + "\n" + other) != whole)
    }
  }

  /// Expected figures of real reports, computed by a program that shares no code with this one.
  static let real = [
    RealReport(
      "FinanceDetail_Z1_2026-02.txt", 76, units: ["sale": 103, "refund": -5, "other product": 1],
      amounts: ["sale CNY": 3_325_000_000, "refund CNY": -162_340_000, "other product AUD": 59_990_000],
      proceeds: ["sale CNY": 2_800_800_000, "refund CNY": -136_740_000, "sale CAD": 8_480_000]),
    RealReport(
      "Financial_00000000.txt", 2, units: ["sale": 6], amounts: ["sale USD": 49_440_000],
      proceeds: ["sale USD": 34_650_000]),
    RealReport(
      "S_D_00000000_20201005.txt", 46, units: ["sale": 142, "upgrade credit": 0, "other product": 574],
      amounts: ["sale RUB": 63_169_000_000, "sale KZT": 8_740_000_000, "upgrade credit RUB": -85_430_000],
      proceeds: ["sale RUB": 44_218_300_000, "sale MXN": 71_810_000, "upgrade credit RUB": -59_800_000]),
    RealReport(
      "Subscriber_00000000_20201005_V1_2.txt", 48, units: ["sale": 47, "upgrade credit": 0],
      amounts: ["sale RUB": 21_106_000_000, "upgrade credit RUB": -85_430_000],
      proceeds: ["sale RUB": 14_774_200_000, "upgrade credit RUB": -59_800_000]),
    RealReport(
      "Subscription_00000000_20201005_V1_2.txt", 49,
      units: [
        "active standard price subscriptions": 290, "billing retry": 112,
        "active pay as you go introductory offer subscriptions": 2,
      ]),
    RealReport(
      "Subscription_00000000_20260218_V1_3.txt", 292,
      units: ["active standard price subscriptions": 409, "billing retry": 4, "subscribers": 75]),
    RealReport(
      "Subscription_Event_00000000_20201005_V1_2.txt", 49,
      units: [
        "billing retry from introductory offer": 4, "billing retry from paid subscription": 6, "cancel": 14,
        "canceled from billing retry": 21, "renew": 24, "renewal from billing retry": 2,
        "start introductory offer": 46, "subscribe": 2, "upgrade": 1,
      ]),
  ]

  @Test(.enabled(if: Corpus.hasAppleReports), arguments: real)
  func realReportsAddUp(_ report: RealReport) throws {
    let bytes = try #require(Corpus.appleReport(report.name))
    let reading = AppleReportsFile.read(bytes, named: report.name)
    #expect(reading.badLines == [] && reading.remarks == [:])
    let rows = reading.items.compactMap { if case .row(let row) = $0 { row } else { nil as AppleReportRow? } }
    guard case .end(let lines, _) = try #require(reading.items.last) else { return }
    #expect(lines == report.lines)
    var (units, amounts, proceeds): ([String: Int64], [String: Int128], [String: Int128]) = ([:], [:], [:])
    for row in rows {
      let measure = row.measure.rawValue
      units[measure, default: 0] += row.units
      if let amount = row.amount { amounts["\(measure) \(amount.currency)", default: 0] += amount.micros }
      if let share = row.proceeds { proceeds["\(measure) \(share.currency)", default: 0] += share.micros }
      #expect(row.storefront.rawValue.utf8.count == 3, "\(row.storefront)")
    }
    #expect(units == report.units)
    for (key, micros) in report.amounts { #expect(amounts[key] == micros, "\(key)") }
    for (key, micros) in report.proceeds { #expect(proceeds[key] == micros, "\(key)") }
  }
}

struct RealReport: CustomTestStringConvertible, Sendable {
  let name: String
  let lines: Int
  let units: [String: Int64]
  /// Sums in micros by measure and currency.
  let amounts: [String: Int128]
  let proceeds: [String: Int128]
  var testDescription: String { name }

  init(
    _ name: String, _ lines: Int, units: [String: Int64], amounts: [String: Int128] = [:],
    proceeds: [String: Int128] = [:]
  ) {
    (self.name, self.lines, self.units) = (name, lines, units)
    (self.amounts, self.proceeds) = (amounts, proceeds)
  }
}
