import Dashboard
import Subscriptions
import Testing

@Suite("Filters") struct FilterTests {
  static let fields = ["chain", "app_user", "product", "state", "days", "price"]
  static let table = [
    ["100", "ann", "gold.monthly", "grace", "3 d", "USD 9.99"],
    ["200", "Bob Hall", "gold.yearly", "active", "45 d", "USD 1,089.00"],
    ["300", "–", "silver.weekly", "Billing retry", "5 h", "EUR 4.99"],
    ["400", "eve", "silver.monthly", "trial", "–", "unknown"],
  ]

  @Test(
    "show the rows that every term holds for",
    arguments: [
      ("", ["100", "200", "300", "400"]), ("   ", ["100", "200", "300", "400"]), ("gold", ["100", "200"]),
      ("GOLD", ["100", "200"]), ("gold monthly", ["100"]), ("!gold", ["300", "400"]),
      ("!gold !trial", ["300"]), ("product:gold", ["100", "200"]), ("prod:silver", ["300", "400"]),
      ("user:", []), ("app:bob", ["200"]), ("app:\"bob hall\"", ["200"]), ("\"hall\" gold", ["200"]),
      ("state=grace", ["100"]), ("state=gra", []), ("!state=grace", ["200", "300", "400"]),
      ("days>10", ["200"]), ("days<1", ["300"]), ("days<=3", ["100", "300"]), ("days>=3", ["100", "200"]),
      ("days=3", ["100"]), ("days>2h", ["100", "200", "300"]), ("!days>10", ["100", "300", "400"]),
      ("price>9.98", ["100", "200"]), ("price<5", ["300"]), ("days>", ["100", "200", "300", "400"]),
      ("days:", ["100", "200", "300", "400"]), ("chain>250", ["300", "400"]),
      ("!", ["100", "200", "300", "400"]), ("state:retry days<1", ["300"]), (":gold", []), ("platinum", []),
    ] as [(String, [String])])
  func rows(_ text: String, _ rows: [String]) throws {
    // Field names may be abbreviated, but `user` is no prefix of a column.
    guard text != "user:" else {
      #expect(throws: Filter.Problem.field("user", known: Self.fields)) {
        try Filter(text, fields: Self.fields)
      }
      return
    }
    let filter = try Filter(text, fields: Self.fields)
    let shown = Self.table.filter { filter.matches($0, fields: Self.fields) }
    #expect(shown.map { $0[0] } == rows)
  }

  static let marked = [
    ["100", "\u{2713} trial", "pro.monthly", "promo offer", "RENEWAL \u{2713}", "CAMPUS"],
    ["200", "\u{2717} billing retry", "pro.yearly", "one-time", "EXPIRATION", "\u{2013}"],
    ["300", "! grace", "basic.monthly", "trial", "RENEWAL", "pro.monthly"],
    ["400", "? unverified", "plus.monthly \u{2192} pro.monthly", "win-back", "PRODUCT_CHANGE", "x_y"],
  ]
  static let markedFields = ["chain", "state", "product", "kind", "event", "offer"]
  static let meanings: CellMeanings = [
    "state": ["? unverified": "overdue", "\u{2717} billing retry": "billing_retry"],
    "product": [
      "pro.monthly": "com.example.pro.monthly", "pro.yearly": "com.example.pro.yearly",
      "basic.monthly": "com.example.basic.monthly",
      "plus.monthly \u{2192} pro.monthly": "com.example.plus.monthly \u{2192} com.example.pro.monthly",
    ],
    "kind": ["promo offer": "promo", "win-back": "winback"],
  ]

  @Test(
    "match what a cell shows and what it stands for",
    arguments: [
      ("state=trial", ["100"]), ("state=\"\u{2713} trial\"", ["100"]), ("state=grace", ["300"]),
      ("state:trial", ["100"]), ("!state=trial", ["200", "300", "400"]), ("state=tria", []),
      ("state=billing_retry", ["200"]), ("state=\"billing retry\"", ["200"]),
      ("state:billing_retry", ["200"]), ("state:billing_re", ["200"]), ("state=BILLING_RETRY", ["200"]),
      ("state=overdue", ["400"]), ("state=\"? unverified\"", ["400"]),
      ("state=unverified", ["400"]), ("state=retry", []), ("billing_retry", ["200"]),
      ("overdue", ["400"]), ("event=renewal", ["100", "300"]), ("event=product_change", ["400"]),
      ("product=pro.monthly", ["100"]), ("product=com.example.pro.monthly", ["100"]),
      ("product=COM.EXAMPLE.PRO.MONTHLY", ["100"]), ("product=example.pro.monthly", []),
      ("product:pro.monthly", ["100", "400"]), ("product:com.example.pro", ["100", "200", "400"]),
      ("product:com.example", ["100", "200", "300", "400"]),
      ("!product=com.example.pro.monthly", ["200", "300", "400"]), ("com.example.pro.yearly", ["200"]),
      ("kind=promo", ["100"]), ("kind=\"promo offer\"", ["100"]), ("kind=promo_offer", ["100"]),
      ("kind=one_time", ["200"]), ("kind=winback", ["400"]), ("kind=win-back", ["400"]),
      ("offer=campus", ["100"]), ("offer=x_y", ["400"]), ("offer=com.example.pro.monthly", []),
    ] as [(String, [String])])
  func standFor(_ text: String, _ rows: [String]) throws {
    let filter = try Filter(text, fields: Self.markedFields)
    let shown = Self.marked.filter {
      filter.matches($0, fields: Self.markedFields, meanings: Self.meanings)
    }
    #expect(shown.map { $0[0] } == rows)
  }

  @Test(
    "know what the cells of lists stand for",
    arguments: [
      "state=active", "state=\"\u{2713} active\"", "product=monthly", "product=com.example.pro.monthly",
      "product:example.pro.mon", "!product=com.example.pro.weekly !product=yearly", "kind=standard",
    ])
  func lists(_ text: String) {
    var bench = Bench.opened(200, 60)
    bench.press("3", "g", "enter", "/", text, "enter")
    #expect(bench.state.context == .rows && !bench.screen.contains("matches"), "\(bench.screen)")
    #expect(bench.screen.contains("monthly") && bench.screen.contains(" match"), "\(bench.screen)")
  }

  @Test(
    "say what they do not understand", arguments: ["nosuch:gold", "days>soon", "!nosuch=1", "price<=cheap"])
  func problems(_ text: String) {
    #expect(throws: Filter.Problem.self) { try Filter(text, fields: Self.fields) }
  }

  @Test(
    "take the words of headings, dates, and ages in columns of dates",
    arguments: [
      ("when>2026-11-21", ["3", "4"]), ("when>=2026-11-21", ["2", "3", "4"]), ("when<2026-11-21", ["1"]),
      ("when<=2026-11-21", ["1", "2"]), ("when=2026-11-21", ["2"]), ("when>2026-11", []),
      ("when>=2026", ["1", "2", "3", "4"]), ("when>\"2026-11-21 23:59\"", ["3", "4"]),
      ("when>2026-11-22t12:00", ["4"]), ("when<1d", ["3"]), ("when<=2d", ["2", "3"]),
      ("expires<7d", ["2", "3"]),
      ("expires>7d", ["1"]), ("expires>=7d", ["1", "4"]), ("!expires<36h", ["1", "2", "4", "5"]),
      ("exp:11-22", ["3"]),
      ("mrr>5", ["1"]), ("amount>5", ["1"]), ("when:2026-11", ["1", "2", "3", "4"]),
    ] as [(String, [String])])
  func dates(_ text: String, _ rows: [String]) throws {
    let (fields, headings) = (["chain", "when", "amount"], ["subscription", "expires", "mrr"])
    let table = [
      ["1", "2026-11-01 09:00", "USD 9.99"], ["2", "2026-11-21 00:00", "USD 1.00"],
      ["3", "2026-11-22 12:00", "–"], ["4", "2026-11-30 00:00", "–"], ["5", "–", "–"],
    ]
    let zone = Zone(name: "A", [.init(from: .distantPast, offset: 3_600_000, abbreviation: "A")])
    let now = try #require(Instant(parsing: "2026-11-22T23:00:00Z"))
    let dates = ["when": DateCells(zone: zone, now: now)]
    let filter = try Filter(text, fields: fields, headings: headings, dates: dates)
    #expect(table.filter { filter.matches($0, fields: fields) }.map { $0[0] } == rows)
    let days = [["1", "2026-11-01"], ["2", "2026-11-22"], ["3", "2026-11-23"], ["4", "2026-12-24"]]
    let noon = ["when": DateCells(zone: zone, now: now - 12 * Milliseconds.hour)]
    for (text, rows) in [("when<5h", ["2"]), ("when>5h", ["1", "3", "4"]), ("when<=2d", ["2", "3"])] {
      let filter = try Filter(text, fields: fields, headings: headings, dates: noon)
      #expect(days.filter { filter.matches($0, fields: fields) }.map { $0[0] } == rows)
    }
    for wrong in ["when>soon", "when<USD", "expires<7x", "nosuch>1", "mrr>2026-11-01"] {
      #expect(throws: Filter.Problem.self) {
        try Filter(wrong, fields: fields, headings: headings, dates: dates)
      }
    }
  }

  @Test(
    "sort by what is seen",
    arguments: [
      ("counts", ["-3", "0", "7", "12", "1,234"]),
      ("ages", ["in 9 d", "30 s", "5 min", "2 h", "47 h", "2 d", "400 d"]),
      ("shares", ["0.0 %", "9.5 %", "97.1 %"]),
      ("amounts", ["EUR 1,000.00", "USD -3.10", "USD 9.99", "USD 10.00"]),
      ("instants", ["2025-12-31 23:59", "2026-01-01 00:00", "2026-11-21 09:05"]),
      ("words", ["Active", "billing retry", "Grace"]),
      ("detection", ["within 2 h", "39 h", "within 3 d"]),
      ("numbers before words", ["7", "seven"]),
    ] as [(String, [String])])
  func order(_ kind: String, _ cells: [String]) {
    let values = cells.map { CellValue($0) }
    #expect(values.reversed().sorted() == values, "\(kind)")
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
    #expect(!values.contains { $0.isMissing })
    #expect(["", "–", "-", "unknown"].allSatisfy { CellValue($0).isMissing })
  }
}
