import GRDB
import Subscriptions

/// A question on its way through SQL: the conditions of its scope and the values bound to them.
struct StoreQuery {
  let db: Database
  let question: Question

  /// `:t`, `:from`, `:limit` and the products; every query names the ones that it needs.
  var arguments: StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [
      "t": question.at, "from": question.window.from, "limit": question.limit,
    ]
    for (index, product) in question.products.sorted().enumerated() { values["product\(index)"] = product }
    return StatementArguments(values)
  }

  func rows(_ sql: String) throws -> [FetchedRow] {
    try FetchedRow.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Spans `p` that hold `:t`, of the few lines that have not paid, from an index that has all that is asked of them here. Those without
  /// an end are read apart: every line that still runs will be in one unless somebody asks about it.
  static let unpaid = """
    (\(unpaid("until_ms = \(Instant.distantFuture.rawValue)"))
      UNION ALL \(unpaid("until_ms > :t AND until_ms < \(Instant.distantFuture.rawValue)"))) AS p WHERE 1
    """

  private static func unpaid(_ end: String) -> String {
    """
    SELECT line_id, from_ms, position_id, expires_ms, due_class_id, user_number FROM spans INDEXED BY spans_unpaid
      WHERE expires_ms IS NOT NULL AND \(end) AND from_ms <= :t
    """
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
