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
  private init<Row>(
    _ rows: [Row], _ columns: [String], titled titles: [String], empty: String, cells: (Row) -> [String],
    json: (Row) -> JSONObject
  ) throws {
    let (shown, objects) = (rows.map(cells), rows.map(json))
    self.init(objects, try CSVText.of(objects, columns)) { width, glyphs in
      text(ofRows: shown, titled: titles, empty: empty, width: width, glyphs: glyphs)
    }
  }

  // MARK: Figures

  /// Returns the figures of both sides; absent values are `null` or empty, never 0.
  static func figures(_ reconciliation: Reconciliation, _ lines: [ReconciledLine]) -> Self {
    let json = JSONObject(members: [
      "days": [reconciliation.days.first, reconciliation.days.last].compactMap { $0?.description },
      "activeRule": reconciliation.activeRule,
      "matchesThrough": reconciliation.matchesThrough?.description,
      "matched": named(reconciliation.matching.matched), "missingCustomers": reconciliation.missing.count,
      "otherEvents": named(reconciliation.otherEvents),
      "reportDays": named(reconciliation.reportDays.mapValues { $0.sorted().map(\.description) }),
      "figures": lines.map(object),
    ])
    return Self(json, csv(lines)) { text(of: reconciliation, lines, width: $0, glyphs: $1) }
  }

  static func object(_ line: ReconciledLine) -> JSONObject {
    JSONObject(members: [
      "figure": line.figure, "source": line.figure.source, "part": line.part, "currency": line.currency,
      "apple": line.apple, "ours": line.ours, "difference": line.difference, "causes": named(line.causes),
      "rest": line.rest, "restMayChange": line.uncertain, "state": line.state, "absentDays": line.absentDays,
    ])
  }

  static func csv(_ lines: [ReconciledLine]) -> String {
    let causes = DifferenceCause.allCases
    var csv = CSVText(
      ["figure", "part", "currency", "apple", "ours", "difference"] + causes.map(\.rawValue)
        + ["rest", "state", "absent_days"])
    for line in lines {
      csv.add(
        [line.figure.rawValue, line.part ?? "", line.currency?.rawValue ?? ""]
          + ([line.apple, line.ours, line.difference] + causes.map { line.causes[$0] } + [line.rest])
          .map { $0.map(String.init) ?? "" } + [line.state.rawValue, "\(line.absentDays)"])
    }
    return csv.text
  }

  // MARK: Lists

  static func unmatched(_ reconciliation: Reconciliation, of figure: ReconciledFigure) throws -> Self {
    try Self(
      reconciliation.matching.unmatched(refunds: figure == .transactionRefunds),
      ["only", "day", "product_id", "storefront", "price_micros", "currency", "refund", "count"],
      titled: ["Side", "Day", "Product", "Store", "Price", "Count"],
      empty: reconciliation.noUnmatched
    ) { row in
      [
        row.isApples ? "only Apple" : "only ours", row.key.day.description,
        row.key.product?.rawValue ?? "not mapped", row.key.storefront?.rawValue ?? "unknown",
        row.key.price.map { MoneyText.of($0) } ?? "–", CountText.of(row.count),
      ]
    } json: { row in
      let key = row.key
      return JSONObject(members: [
        "only": row.isApples ? "apple" : "ours", "day": key.day.description, "productId": key.product,
        "storefront": key.storefront, "priceMicros": key.price?.micros, "currency": key.price?.currency,
        "refund": key.isRefund, "count": row.count,
      ])
    }
  }

  /// Returns the customers that the store lacks, with a row for each currency.
  static func missing(_ reconciliation: Reconciliation) throws -> Self {
    try Self(
      reconciliation.missing.flatMap { customer -> [(MissingCustomer, Money?)] in
        let totals: [Money?] = customer.amounts.totals.isEmpty ? [nil] : customer.amounts.totals
        return totals.map { (customer, $0) }
      },
      [
        "subscriber", "transactions", "first_day", "last_day", "products", "storefronts", "amount_micros",
        "currency", "candidates",
      ], titled: ["Customer", "Transactions", "First", "Last", "Products", "Stores", "Paid"],
      empty: reconciliation.matchedDays > 0
        ? "The store lacks no customer of Apple's subscriber reports on the days that can be matched."
        : reconciliation.noUnmatched
    ) { customer, total in
      [
        String(customer.subscriber.prefix(12))
          + (customer.candidates > 1 ? ", or 1 of \(customer.candidates)" : ""),
        CountText.of(customer.transactions), "\(customer.first)", "\(customer.last)",
        customer.products.sorted().joined(separator: " "),
        customer.storefronts.map(\.rawValue).sorted().joined(separator: " "),
        total.map { MoneyText.of($0) } ?? "–",
      ]
    } json: { customer, total in
      // `candidates` counts customers with equal transactions if the store lacks some of them but not all.
      JSONObject(members: [
        "subscriber": customer.subscriber, "transactions": customer.transactions,
        "firstDay": "\(customer.first)", "lastDay": "\(customer.last)",
        "products": customer.products.sorted(), "storefronts": customer.storefronts.map(\.rawValue).sorted(),
        "amountMicros": total?.micros, "currency": total?.currency, "candidates": customer.candidates,
      ])
    }
  }

  /// Returns payouts compared with the store's sales; the table has a column for each cause that occurs.
  static func payouts(_ payouts: [Payout]) -> Self {
    func amounts(_ payout: Payout, _ causes: [DifferenceCause]) -> [Int128?] {
      [payout.apple, payout.ours, payout.difference] + causes.map { payout.causes[$0] } + [payout.rest]
    }
    let causes = Payout.possibleCauses
    var csv = CSVText(
      ["from", "through", "currency", "apple", "ours", "difference"] + causes.map(\.rawValue) + ["rest"])
    let months = payouts.map { payout in
      let (from, through) = ("\(payout.report.from)", "\(payout.report.through)")
      csv.add(
        [from, through, payout.currency.rawValue] + amounts(payout, causes).map { $0.map(String.init) ?? "" })
      return JSONObject(members: [
        "from": from, "through": through, "currency": payout.currency, "apple": payout.apple,
        "ours": payout.ours, "difference": payout.difference, "causes": named(payout.causes),
        "rest": payout.rest,
      ])
    }
    let used = causes.filter { cause in payouts.contains { $0.causes[cause] != nil } }
    let titles = used.map { $0.words.prefix(1).uppercased() + $0.words.dropFirst() }
    let rows = payouts.map { payout in
      [payout.report.fiscalMonth]
        + amounts(payout, used).map { micros in
          micros.map { MoneyText.of(Money(micros: $0, currency: payout.currency)) } ?? "–"
        }
    }
    return Self(months, csv.text) { width, glyphs in
      text(
        ofRows: rows,
        titled: ["Fiscal month", "Apple", "Ours, after commission", "Difference"] + titles + ["Rest"],
        empty: "No payouts.", width: width, glyphs: glyphs)
    }
  }
}

private func named<Key: RawRepresentable<String>, Value>(_ values: [Key: Value]) -> [String: Value] {
  Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
}
