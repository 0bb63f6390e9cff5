import Dashboard
import Testing

@Suite("Filters") struct FilterTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    /// The first cells of the rows that match.
    let rows: [String]
    var testDescription: String { text.isEmpty ? "nothing" : text }

    init(_ text: String, _ rows: String...) { (self.text, self.rows) = (text, rows) }
  }

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
      Case("", "100", "200", "300", "400"), Case("   ", "100", "200", "300", "400"),
      Case("gold", "100", "200"), Case("GOLD", "100", "200"), Case("gold monthly", "100"),
      Case("!gold", "300", "400"), Case("!gold !trial", "300"), Case("product:gold", "100", "200"),
      Case("prod:silver", "300", "400"), Case("user:"), Case("app:bob", "200"),
      Case("app:\"bob hall\"", "200"), Case("\"hall\" gold", "200"), Case("state=grace", "100"),
      Case("state=gra"), Case("!state=grace", "200", "300", "400"), Case("days>10", "200"),
      Case("days<1", "300"), Case("days<=3", "100", "300"), Case("days>=3", "100", "200"),
      Case("days=3", "100"), Case("days>2h", "100", "200", "300"), Case("!days>10", "100", "300", "400"),
      Case("price>9.98", "100", "200"), Case("price<5", "300"), Case("days>", "100", "200", "300", "400"),
      Case("days:", "100", "200", "300", "400"), Case("chain>250", "300", "400"),
      Case("!", "100", "200", "300", "400"),
      Case("state:retry days<1", "300"), Case(":gold"), Case("platinum"),
    ])
  func rows(_ one: Case) throws {
    // `user:` names no column, as columns are named by how they begin.
    guard one.text != "user:" else {
      #expect(throws: Filter.Problem.field("user", known: Self.fields)) {
        try Filter(one.text, fields: Self.fields)
      }
      return
    }
    let filter = try Filter(one.text, fields: Self.fields)
    let shown = Self.table.filter { filter.matches($0, fields: Self.fields) }
    #expect(shown.map { $0[0] } == one.rows)
  }

  static let marked = [
    ["100", "\u{2713} trial", "pro.monthly", "promo offer", "RENEWAL \u{2713}", "CAMPUS"],
    ["200", "\u{2717} billing retry", "pro.yearly", "one-time", "EXPIRATION", "\u{2013}"],
    ["300", "! grace", "basic.monthly", "trial", "RENEWAL", "pro.monthly"],
    ["400", "? not confirmed yet", "plus.monthly \u{2192} pro.monthly", "win-back", "PRODUCT_CHANGE", "x_y"],
  ]
  static let markedFields = ["chain", "state", "product", "kind", "event", "offer"]
  static let meanings: CellMeanings = [
    "state": ["? not confirmed yet": "overdue", "\u{2717} billing retry": "billing_retry"],
    "product": [
      "pro.monthly": "com.example.pro.monthly", "pro.yearly": "com.example.pro.yearly",
      "basic.monthly": "com.example.basic.monthly",
      "plus.monthly \u{2192} pro.monthly": "com.example.plus.monthly \u{2192} com.example.pro.monthly",
    ],
    "kind": ["promo offer": "promo", "win-back": "winback"],
  ]

  /// What a cell shows, its words without the signs beside them, and what it stands for.
  @Test(
    "match what a cell shows and what it stands for",
    arguments: [
      Case("state=trial", "100"), Case("state=\"\u{2713} trial\"", "100"), Case("state=grace", "300"),
      Case("state:trial", "100"), Case("!state=trial", "200", "300", "400"), Case("state=tria"),
      Case("state=billing_retry", "200"), Case("state=\"billing retry\"", "200"),
      Case("state:billing_retry", "200"), Case("state:billing_re", "200"), Case("state=BILLING_RETRY", "200"),
      Case("state=overdue", "400"), Case("state=\"not confirmed yet\"", "400"),
      Case("state=not_confirmed_yet", "400"), Case("state=retry"), Case("billing_retry", "200"),
      Case("overdue", "400"), Case("event=renewal", "100", "300"), Case("event=product_change", "400"),
      Case("product=pro.monthly", "100"), Case("product=com.example.pro.monthly", "100"),
      Case("product=COM.EXAMPLE.PRO.MONTHLY", "100"), Case("product=example.pro.monthly"),
      Case("product:pro.monthly", "100", "400"), Case("product:com.example.pro", "100", "200", "400"),
      Case("product:com.example", "100", "200", "300", "400"),
      Case("!product=com.example.pro.monthly", "200", "300", "400"),
      Case("com.example.pro.yearly", "200"), Case("kind=promo", "100"), Case("kind=\"promo offer\"", "100"),
      Case("kind=promo_offer", "100"), Case("kind=one_time", "200"), Case("kind=winback", "400"),
      Case("kind=win-back", "400"), Case("offer=campus", "100"), Case("offer=x_y", "400"),
      Case("offer=com.example.pro.monthly"),
    ])
  func standFor(_ one: Case) throws {
    let filter = try Filter(one.text, fields: Self.markedFields)
    let shown = Self.marked.filter {
      filter.matches($0, fields: Self.markedFields, meanings: Self.meanings)
    }
    #expect(shown.map { $0[0] } == one.rows)
  }

  /// The lists that have such cells say so.
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

  struct Order: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// In rising order, what is missing apart.
    let cells: [String]
  }

  @Test(
    "sort by what is seen",
    arguments: [
      Order(testDescription: "counts", cells: ["-3", "0", "7", "12", "1,234"]),
      Order(testDescription: "ages", cells: ["in 9 d", "30 s", "5 min", "2 h", "47 h", "2 d", "400 d"]),
      Order(testDescription: "shares", cells: ["0.0 %", "9.5 %", "97.1 %"]),
      Order(testDescription: "amounts", cells: ["EUR 1,000.00", "USD -3.10", "USD 9.99", "USD 10.00"]),
      Order(
        testDescription: "instants", cells: ["2025-12-31 23:59", "2026-01-01 00:00", "2026-11-21 09:05"]),
      Order(testDescription: "words", cells: ["Active", "billing retry", "Grace"]),
      Order(testDescription: "detection", cells: ["within 2 h", "39 h", "within 3 d"]),
      Order(testDescription: "numbers before words", cells: ["7", "seven"]),
    ])
  func order(_ one: Order) {
    let values = one.cells.map { CellValue($0) }
    #expect(values.reversed().sorted() == values)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
    #expect(!values.contains { $0.isMissing })
    #expect(["", "–", "-", "unknown"].allSatisfy { CellValue($0).isMissing })
  }
}
