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
