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
  private static let longest = 62 * Milliseconds.day

  /// Spans `p` that hold an instant, of the few lines that have not paid, from indexes that have all that is asked of them here. Short ones
  /// are found by when they began: more than have begun are still to come, one for every line that runs, unless somebody asks about
  /// it. `bindUnpaid` binds their arguments, which are the first two.
  package static let unpaid = """
    (\(unpaid("spans_unpaid WHERE \(isShort) AND from_ms > ?2 AND from_ms <= ?1 AND until_ms > ?1"))
      UNION ALL \(unpaidLong("until_ms = \(Instant.distantFuture.rawValue)"))
      UNION ALL \(unpaidLong("until_ms > ?1 AND until_ms < \(Instant.distantFuture.rawValue)"))) AS p WHERE 1
    """

  private static func unpaidLong(_ end: String) -> String {
    unpaid("spans_unpaid_long WHERE NOT (\(isShort)) AND \(end) AND from_ms <= ?1")
  }

  private static func unpaid(_ index: String) -> String {
    """
    SELECT line_id, from_ms, position_id, expires_ms, due_class_id, user_number FROM spans INDEXED BY \(index)
      AND expires_ms IS NOT NULL
    """
  }

  /// - Parameter start: only those of rows that expired later are asked for; nil is all of them.
  static func bindUnpaid(_ statement: inout BoundStatement, at t: Instant, expiredAfter start: Instant? = nil)
  {
    statement.bind(t)
    statement.bind(max(t - longest, start ?? .distantPast))
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
