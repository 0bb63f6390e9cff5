import Dashboard
import Screen
import Subscriptions

/// Output of `reconcile`: a table, JSON or CSV.
struct ReconciliationText {
  let json: any Encodable
  let csv: String
  let table: (_ width: Int, _ glyphs: GlyphSet) -> String

  private init(
    _ json: any Encodable, _ csv: String, _ table: @escaping (_ width: Int, _ glyphs: GlyphSet) -> String
  ) {
    (self.json, self.csv, self.table) = (json, csv, table)
  }

  /// Creates the output for rows; `columns` are keys of a row's JSON, and the headers of the CSV.
  private init<Row: Encodable>(
    _ rows: [Row], _ columns: [String], titled titles: [String], empty: String, cells: (Row) -> [String]
  ) throws {
    let shown = rows.map(cells)
    self.init(rows, try CSVText.of(rows, columns)) { width, glyphs in
      text(ofRows: shown, titled: titles, empty: empty, width: width, glyphs: glyphs)
    }
  }

  // MARK: Figures

  private struct Figures: Encodable {
    var days: [String]
    var activeRule: Reconciliation.ActiveRule
    @ExplicitNull var matchesThrough: String?
    var matched: [String: Int]
    var missingCustomers: Int
    var otherEvents: [String: Int64]
    var reportDays: [String: [String]]
    var figures: [Line]
  }

  private struct Line: Encodable {
    var figure: ReconciledFigure
    var source: AppleReportKind
    @ExplicitNull var part: String?
    @ExplicitNull var currency: CurrencyCode?
    @ExplicitNull var apple: Int128?
    var ours: Int128
    @ExplicitNull var difference: Int128?
    var causes: [String: Int128]
    @ExplicitNull var rest: Int128?
    var restMayChange: Int128
    var state: ReconciledRow.State
    var absentDays: Int

    init(_ line: ReconciledLine) {
      (figure, source, state, absentDays) = (line.figure, line.figure.source, line.state, line.absentDays)
      (part, currency, apple, ours) = (line.part, line.currency, line.apple, line.ours)
      (difference, rest, causes) = (line.difference, line.rest, named(line.causes))
      restMayChange = line.uncertain
    }
  }

  /// Returns the figures of both sides; absent values are `null` or empty, never 0.
  static func figures(_ reconciliation: Reconciliation, _ lines: [ReconciledLine]) -> Self {
    let json = Figures(
      days: [reconciliation.days.first, reconciliation.days.last].compactMap { $0?.description },
      activeRule: reconciliation.activeRule, matchesThrough: reconciliation.matchesThrough?.description,
      matched: named(reconciliation.matching.matched), missingCustomers: reconciliation.missing.count,
      otherEvents: named(reconciliation.otherEvents),
      reportDays: named(reconciliation.reportDays.mapValues { $0.sorted().map(\.description) }),
      figures: lines.map(Line.init))
    let causes = DifferenceCause.allCases
    var csv = CSVText(
      ["figure", "part", "currency", "apple", "ours", "difference"] + causes.map(\.rawValue)
        + ["rest", "state", "absent_days"])
    for line in lines {
      func field(_ number: Int128?) -> String { number.map(String.init) ?? "" }
      csv.add(
        [line.figure.rawValue, line.part ?? "", line.currency?.rawValue ?? ""]
          + [line.apple, line.ours, line.difference].map(field) + causes.map { field(line.causes[$0]) }
          + [field(line.rest), line.state.rawValue, "\(line.absentDays)"])
    }
    return Self(json, csv.text) { text(of: reconciliation, lines, width: $0, glyphs: $1) }
  }

  // MARK: Lists

  private struct Unmatched: Encodable {
    /// Side that has the transactions: `apple` or `ours`.
    var only: String
    var day: String
    @ExplicitNull var productId: ProductID?
    @ExplicitNull var storefront: StorefrontCode?
    @ExplicitNull var priceMicros: Int64?
    @ExplicitNull var currency: CurrencyCode?
    var refund: Bool
    var count: Int
  }

  static func unmatched(_ reconciliation: Reconciliation, of figure: ReconciledFigure) throws -> Self {
    let rows = reconciliation.matching.unmatched(refunds: figure == .transactionRefunds).map { row in
      let key = row.key
      return Unmatched(
        only: row.isApples ? "apple" : "ours", day: key.day.description, productId: key.product,
        storefront: key.storefront, priceMicros: key.price?.single, currency: key.price?.currency,
        refund: key.isRefund, count: row.count)
    }
    return try Self(
      rows,
      ["only", "day", "product_id", "storefront", "price_micros", "currency", "refund", "count"],
      titled: ["Side", "Day", "Product", "Store", "Price", "Count"],
      empty: reconciliation.matchedDays > 0
        ? "Every transaction is on both sides."
        : "No day could be matched: a day also needs the Subscriber reports of the day before and the day after."
    ) { row in
      [
        row.only == "apple" ? "only Apple" : "only ours", row.day, row.productId?.rawValue ?? "not mapped",
        row.storefront?.rawValue ?? "unknown", money(row.priceMicros.map { Int128($0) }, row.currency),
        CountText.of(row.count),
      ]
    }
  }

  private struct Missing: Encodable {
    var subscriber: String
    var transactions: Int
    var firstDay: String
    var lastDay: String
    var products: [String]
    var storefronts: [String]
    @ExplicitNull var amountMicros: Int128?
    @ExplicitNull var currency: CurrencyCode?
    /// Number of customers with equal transactions if the store lacks some of them but not all; otherwise 1.
    var candidates: Int
  }

  /// Returns the customers that the store lacks, with a row for each currency.
  static func missing(_ reconciliation: Reconciliation) throws -> Self {
    let rows = reconciliation.missing.flatMap { customer in
      let totals: [Money?] = customer.amounts.totals.isEmpty ? [nil] : customer.amounts.totals
      return totals.map { total in
        Missing(
          subscriber: customer.subscriber, transactions: customer.transactions,
          firstDay: customer.first.description, lastDay: customer.last.description,
          products: customer.products.sorted(), storefronts: customer.storefronts.map(\.rawValue).sorted(),
          amountMicros: total?.micros, currency: total?.currency, candidates: customer.candidates)
      }
    }
    return try Self(
      rows,
      [
        "subscriber", "transactions", "first_day", "last_day", "products", "storefronts", "amount_micros",
        "currency", "candidates",
      ], titled: ["Customer", "Transactions", "First", "Last", "Products", "Stores", "Paid"],
      empty: reconciliation.matchedDays > 0
        ? "The store lacks no customer of Apple's subscriber reports on the days that can be matched."
        : "No day could be matched: a day also needs the Subscriber reports of the day before and the day after."
    ) { row in
      [
        String(row.subscriber.prefix(12)) + (row.candidates > 1 ? ", or 1 of \(row.candidates)" : ""),
        CountText.of(row.transactions), row.firstDay, row.lastDay,
        row.products.joined(separator: " "), row.storefronts.joined(separator: " "),
        money(row.amountMicros, row.currency),
      ]
    }
  }

  private struct Month: Encodable {
    var from: String
    var through: String
    var currency: CurrencyCode
    var apple: Int128
    var ours: Int128
    var difference: Int128
    var causes: [String: Int128]
    var rest: Int128
  }

  /// Returns payouts compared with the store's sales; the table has a column for each cause that occurs.
  static func payouts(_ payouts: [Payout]) -> Self {
    let months = payouts.map { payout in
      Month(
        from: payout.report.from.description, through: payout.report.through.description,
        currency: payout.currency, apple: payout.apple, ours: payout.ours, difference: payout.difference,
        causes: named(payout.causes), rest: payout.rest)
    }
    let causes = Payout.possibleCauses
    var csv = CSVText(
      ["from", "through", "currency", "apple", "ours", "difference"] + causes.map(\.rawValue) + ["rest"])
    for (payout, month) in zip(payouts, months) {
      let amounts: [Int128?] =
        [payout.apple, payout.ours, payout.difference] + causes.map { payout.causes[$0] } + [payout.rest]
      csv.add(
        [month.from, month.through, month.currency.rawValue] + amounts.map { $0.map(String.init) ?? "" })
    }
    let used = causes.filter { cause in payouts.contains { $0.causes[cause] != nil } }
    let titles = used.map { $0.words.prefix(1).uppercased() + $0.words.dropFirst() }
    let rows = payouts.map { payout in
      let amounts: [Int128?] =
        [payout.apple, payout.ours, payout.difference] + used.map { payout.causes[$0] } + [payout.rest]
      return [payout.report.fiscalMonth] + amounts.map { money($0, payout.currency) }
    }
    return Self(months, csv.text) { width, glyphs in
      text(
        ofRows: rows,
        titled: ["Fiscal month", "Apple", "Ours, after commission", "Difference"] + titles + ["Rest"],
        empty: "No payouts.", width: width, glyphs: glyphs)
    }
  }

  private static func money(_ micros: Int128?, _ currency: CurrencyCode?) -> String {
    guard let micros, let currency else { return "–" }
    return MoneyText.of(Money(micros: micros, currency: currency))
  }
}

private func named<Key: RawRepresentable<String>, Value>(_ values: [Key: Value]) -> [String: Value] {
  Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
}
