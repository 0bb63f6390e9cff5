import Dashboard
import Screen
import Subscriptions

/// JSON and CSV of a reconciliation, and its lists of single transactions and customers. Amounts are in micros.
struct ReconciliationText {
  let reconciliation: Reconciliation

  init(_ reconciliation: Reconciliation) { self.reconciliation = reconciliation }

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
    var state: ReconciledRow.State
    var absentDays: Int

    init(_ line: ReconciledLine) {
      figure = line.figure
      source = line.figure.source
      part = line.part
      currency = line.currency
      apple = line.apple
      ours = line.ours
      difference = line.difference
      rest = line.rest
      state = line.state
      absentDays = line.absentDays
      causes = Dictionary(uniqueKeysWithValues: line.causes.map { ($0.key.rawValue, $0.value) })
    }
  }

  func json(_ lines: [ReconciledLine]) -> some Encodable {
    Figures(
      days: [reconciliation.days.first, reconciliation.days.last].compactMap { $0?.description },
      activeRule: reconciliation.activeRule,
      matchesThrough: reconciliation.matchesThrough?.description,
      matched: Dictionary(
        uniqueKeysWithValues: reconciliation.matching.matched.map { ($0.key.rawValue, $0.value) }),
      missingCustomers: reconciliation.missing.count,
      otherEvents: Dictionary(
        uniqueKeysWithValues: reconciliation.otherEvents.map { ($0.key.rawValue, $0.value) }),
      reportDays: Dictionary(
        uniqueKeysWithValues: reconciliation.reportDays.map { kind, days in
          (kind.rawValue, days.sorted().map(\.description))
        }), figures: lines.map(Line.init))
  }

  /// An absent value is empty, never 0.
  func csv(_ lines: [ReconciledLine]) -> String {
    let causes = DifferenceCause.allCases
    var csv = CSVText(
      ["figure", "part", "currency", "apple", "ours", "difference"] + causes.map(\.rawValue)
        + ["rest", "state", "absent_days"])
    for line in lines {
      let explained = causes.map { line.causes[$0].map(String.init) ?? "" }
      csv.add(
        [
          line.figure.rawValue, line.part ?? "", line.currency?.rawValue ?? "",
          line.apple.map(String.init) ?? "", "\(line.ours)", line.difference.map(String.init) ?? "",
        ] + explained + [line.rest.map(String.init) ?? "", line.state.rawValue, "\(line.absentDays)"])
    }
    return csv.text
  }

  // MARK: Transactions that only one side has

  private struct Unmatched: Encodable {
    /// `apple` or `ours`.
    var only: String
    var day: String
    @ExplicitNull var product: ProductID?
    @ExplicitNull var storefront: StorefrontCode?
    @ExplicitNull var priceMicros: Int128?
    @ExplicitNull var currency: CurrencyCode?
    var refund: Bool
    var count: Int

    init(_ only: String, _ key: TransactionKey, _ count: Int) {
      self.only = only
      day = key.day.description
      product = key.product
      storefront = key.storefront
      priceMicros = key.price?.micros
      currency = key.price?.currency
      refund = key.isRefund
      self.count = count
    }

    var fields: [String] {
      [
        only, day, product?.rawValue ?? "", storefront?.rawValue ?? "", priceMicros.map(String.init) ?? "",
        currency?.rawValue ?? "", "\(refund)", "\(count)",
      ]
    }
  }

  private func unmatched(_ figure: ReconciledFigure) -> [Unmatched] {
    let sides = [("apple", reconciliation.matching.onlyApple), ("ours", reconciliation.matching.onlyOurs)]
    return sides.flatMap { only, counts in
      counts.filter { $0.key.isRefund == (figure == .transactionRefunds) }.map {
        Unmatched(only, $0.key, $0.value)
      }
    }.sorted { $0.fields.lexicographicallyPrecedes($1.fields) }
  }

  func unmatchedJSON(_ figure: ReconciledFigure) -> some Encodable { unmatched(figure) }

  func unmatchedCSV(_ figure: ReconciledFigure) -> String {
    var csv = CSVText([
      "only", "day", "product_id", "storefront", "price_micros", "currency", "refund", "count",
    ])
    for row in unmatched(figure) { csv.add(row.fields) }
    return csv.text
  }

  func unmatchedTable(_ figure: ReconciledFigure, _ width: Int, _ glyphs: GlyphSet) -> String {
    text(
      ofRows: unmatched(figure).map { row in
        let price = row.priceMicros.flatMap { micros in
          row.currency.map { Money(micros: micros, currency: $0) }
        }
        return [
          row.only == "apple" ? "only Apple" : "only ours", row.day, row.product?.rawValue ?? "not mapped",
          row.storefront?.rawValue ?? "unknown", price.map { MoneyText.of($0) } ?? "–",
          CountText.of(row.count),
        ]
      }, titled: ["Side", "Day", "Product", "Store", "Price", "Count"],
      empty: "Every transaction is on both sides.", width: width, glyphs: glyphs)
  }

  // MARK: Missing customers

  private struct Missing: Encodable {
    var subscriber: String
    var transactions: Int
    var firstDay: String
    var lastDay: String
    var products: [String]
    var storefronts: [StorefrontCode]
    var amounts: Amounts

    init(_ customer: MissingCustomer) {
      (subscriber, transactions) = (customer.subscriber, customer.transactions)
      (firstDay, lastDay) = (customer.first.description, customer.last.description)
      (products, storefronts) = (customer.products.sorted(), customer.storefronts.sorted { $0 < $1 })
      amounts = customer.amounts
    }
  }

  var missingJSON: some Encodable { reconciliation.missing.map(Missing.init) }

  /// One row for each currency of a customer.
  var missingCSV: String {
    var csv = CSVText(
      [
        "subscriber", "transactions", "first_day", "last_day", "products", "storefronts", "amount_micros",
        "currency",
      ])
    for customer in reconciliation.missing {
      let totals: [Money?] = customer.amounts.totals.isEmpty ? [nil] : customer.amounts.totals
      for total in totals {
        csv.add([
          customer.subscriber, "\(customer.transactions)", customer.first.description,
          customer.last.description,
          customer.products.sorted().joined(separator: " "),
          customer.storefronts.map(\.rawValue).sorted().joined(separator: " "),
          total.map { "\($0.micros)" } ?? "", total?.currency.rawValue ?? "",
        ])
      }
    }
    return csv.text
  }

  func missingTable(_ width: Int, _ glyphs: GlyphSet) -> String {
    text(
      ofRows: reconciliation.missing.map { customer in
        [
          String(customer.subscriber.prefix(12)), CountText.of(customer.transactions),
          customer.first.description, customer.last.description,
          customer.products.sorted().joined(separator: " "),
          customer.storefronts.map(\.rawValue).sorted().joined(separator: " "),
          customer.amounts.totals.map { MoneyText.of($0) }.joined(separator: ", "),
        ]
      }, titled: ["Customer", "Transactions", "First", "Last", "Products", "Stores", "Paid"],
      empty: "The store lacks no customer of Apple's subscriber reports.", width: width, glyphs: glyphs)
  }
}

/// Table, JSON and CSV of payouts.
struct PayoutText {
  let payouts: [Payout]

  init(_ payouts: [Payout]) { self.payouts = payouts }

  private struct Entry: Encodable {
    var from: String
    var through: String
    var currency: CurrencyCode
    var apple: Int128
    var ours: Int128
    var causes: [String: Int128]
    var rest: Int128

    init(_ payout: Payout) {
      (from, through) = (payout.report.from.description, payout.report.through.description)
      (currency, apple, ours, rest) = (payout.currency, payout.apple, payout.ours, payout.rest)
      causes = Dictionary(uniqueKeysWithValues: payout.causes.map { ($0.key.rawValue, $0.value) })
    }
  }

  var json: some Encodable { payouts.map(Entry.init) }

  var csv: String {
    let causes: [DifferenceCause] = [.tax, .commission, .settledBefore, .settledLater]
    var csv = CSVText(["from", "through", "currency", "apple", "ours"] + causes.map(\.rawValue) + ["rest"])
    for payout in payouts {
      csv.add(
        [
          payout.report.from.description, payout.report.through.description, payout.currency.rawValue,
          "\(payout.apple)", "\(payout.ours)",
        ] + causes.map { payout.causes[$0].map(String.init) ?? "" } + ["\(payout.rest)"])
    }
    return csv.text
  }

  func table(_ width: Int, _ glyphs: GlyphSet) -> String {
    func money(_ micros: Int128, _ payout: Payout) -> String {
      MoneyText.of(Money(micros: micros, currency: payout.currency))
    }
    return text(
      ofRows: payouts.map { payout in
        [
          "\(payout.report.from) to \(payout.report.through)", money(payout.apple, payout),
          money(payout.ours, payout),
          DifferenceCause.allCases.compactMap { cause in
            payout.causes[cause].map { "\(cause.words) \(money($0, payout))" }
          }.joined(separator: ", "), money(payout.rest, payout),
        ]
      }, titled: ["Fiscal month", "Apple", "Ours, after commission", "Explained by", "Rest"],
      empty: "No payouts.", width: width, glyphs: glyphs)
  }
}

extension Payout {
  var restShare: Double {
    rest == 0 ? 0 : apple == 0 ? 1 : min(1, Double(rest.magnitude) / Double(apple.magnitude))
  }
}
