import GRDB
import Subscriptions

/// A question on its way through SQL: the conditions of its scope and the values bound to them.
struct StoreQuery {
  let db: Database
  var question: Question
  let catalog: Catalog
  let ledger: StoredLedger
  let facts: StoredFacts

  /// `:t`, `:from`, `:to`, `:limit` and the products; every query names the ones that it needs.
  var arguments: StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [
      "t": question.at, "from": question.window.from, "to": question.window.to,
      "start": question.window.trendStart, "limit": question.limit,
    ]
    for (index, product) in question.products.sorted().enumerated() { values["product\(index)"] = product }
    for (index, app) in smallBusinesses.enumerated() { values["app\(index)"] = app }
    return StatementArguments(values)
  }

  func rows(_ sql: String) throws -> [FetchedRow] {
    try FetchedRow.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// METRICS §1.5: the lines in scope with where they stand at `:t`.
  var standing: String {
    "SELECT * FROM (\(StandingLines.at(":t"))) WHERE \(environment("environment")) AND NOT is_family_shared"
  }

  /// Transactions of lines in scope: `x`, with their line `l` and chain `c`. In this order, so that an index on what the
  /// condition is about is read, and read in its order.
  func transactions(_ condition: String) -> String {
    """
    transactions x CROSS JOIN lines l ON l.id = x.line_id CROSS JOIN chains c ON c.id = l.chain_id
    WHERE \(condition) AND \(environment("c.environment")) AND NOT l.is_family_shared AND \(product("x.product_id"))
    """
  }

  func environment(_ column: String) -> String {
    switch question.environment {
    case .production: "\(column) = '\(StoreEnvironment.production.rawValue)'"
    case .sandbox: "\(column) = '\(StoreEnvironment.sandbox.rawValue)'"
    case .all: "1"
    }
  }

  func product(_ column: String) -> String {
    guard !question.products.isEmpty else { return "1" }
    let names = (0..<question.products.count).map { ":product\($0)" }
    return "\(column) IN (\(names.joined(separator: ", ")))"
  }

  private var smallBusinesses: [BundleID] { question.smallBusinessProgram.memberships.keys.sorted() }

  /// Whether the app of transaction `x` was in the Small Business Program when it was bought.
  var isSmallBusiness: String {
    let terms = smallBusinesses.enumerated().flatMap { index, app in
      (question.smallBusinessProgram.memberships[app] ?? []).map { membership in
        """
        (x.bundle_id = :app\(index) AND x.purchase_date_ms >= \(membership.from.rawValue)
          AND x.purchase_date_ms < \(membership.until.rawValue))
        """
      }
    }
    return terms.isEmpty ? "0" : "ifnull(\(terms.joined(separator: " OR ")), 0)"
  }

  /// The order of text identifiers: shorter first.
  static func idOrder(_ column: String) -> String { "length(CAST(\(column) AS BLOB)), \(column)" }
}

extension FetchedRow {
  /// An amount, where both its columns have a value.
  func money(micros: Int, currency: Int) -> Money? {
    guard let amount = self[micros] as Int64?, let code = self[currency] as CurrencyCode? else { return nil }
    return Money(micros: amount, currency: code)
  }
}
