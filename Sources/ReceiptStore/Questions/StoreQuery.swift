import GRDB
import Subscriptions

/// A question on its way through SQL: the conditions of its scope and the values bound to them.
package struct StoreQuery {
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

  /// Whether a span ends within the time in which Apple tries to bill, with two days to spare: nearly all that may yet be paid for do.
  static let isShort = "until_ms - from_ms <= \(longest)"
  private static let longest = billingRetryMilliseconds + 2 * Milliseconds.day

  /// Spans of the few lines that have not paid, which hold some instant of a stretch of time, from covering indexes.
  ///
  /// Short spans are found by their start: the index also holds one future span per running line, so a range on the end would read
  /// them all.
  package static func unpaid(_ columns: String, where condition: String = "1") -> String {
    let ends = Instant.distantFuture.rawValue
    return [
      "spans_unpaid WHERE \(isShort) AND from_ms > ?2 AND from_ms < ?3 AND until_ms > ?1",
      "spans_unpaid_long WHERE NOT (\(isShort)) AND until_ms = \(ends) AND from_ms < ?3",
      "spans_unpaid_long WHERE NOT (\(isShort)) AND until_ms > ?1 AND until_ms < \(ends) AND from_ms < ?3",
    ].map { "SELECT \(columns) FROM spans INDEXED BY \($0) AND expires_ms IS NOT NULL AND \(condition)" }
      .joined(separator: " UNION ALL ")
  }

  /// - Parameter start: only those of rows that expired later are asked for.
  static func bindUnpaid(
    _ statement: inout BoundStatement, _ stretch: Range<Instant>, expiredAfter start: Instant = .distantPast
  ) {
    statement.bind(stretch.lowerBound)
    statement.bind(max(stretch.lowerBound - longest, start))
    statement.bind(stretch.upperBound)
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
