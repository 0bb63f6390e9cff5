import GRDB
import Subscriptions

/// SQL conditions and arguments for the scope of a query.
package struct StoreQuery {
  let db: Database
  let question: Question

  /// Named arguments `:t`, `:from`, `:limit`, and `:product0`, `:product1` and so on.
  var arguments: StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [
      "t": question.at, "from": question.window.from, "limit": question.limit,
    ]
    for (index, product) in question.products.sorted().enumerated() { values["product\(index)"] = product }
    return StatementArguments(values)
  }

  /// SQL condition for a span that is at most two days longer than Apple's billing retry period; nearly all
  /// spans that may still be paid are that short.
  static let isShort = "until_ms - from_ms <= \(longest)"
  private static let longest = billingRetryMilliseconds + 2 * Milliseconds.day

  /// Returns a query for the spans of unpaid lines at an instant, from covering indexes.
  ///
  /// Short spans are searched by their start, because the index also has one future span of each running
  /// line, and a search by the end would read all of these.
  package static func unpaid(_ columns: String, where condition: String = "1") -> String {
    let ends = Instant.distantFuture.rawValue
    return [
      "spans_unpaid WHERE \(isShort) AND from_ms > ?2 AND from_ms <= ?1 AND until_ms > ?1",
      "spans_unpaid_long WHERE NOT (\(isShort)) AND until_ms = \(ends) AND from_ms <= ?1",
      "spans_unpaid_long WHERE NOT (\(isShort)) AND until_ms > ?1 AND until_ms < \(ends) AND from_ms <= ?1",
    ].map { "SELECT \(columns) FROM spans INDEXED BY \($0) AND expires_ms IS NOT NULL AND \(condition)" }
      .joined(separator: " UNION ALL ")
  }

  /// Requests the spans of lines that were unpaid at an instant, if the store is shared.
  static func requireUnpaid(at t: Instant) {
    let begun = "expires_ms IS NOT NULL AND from_ms <= \(t.rawValue) AND until_ms > \(t.rawValue)"
    for condition in ["\(isShort) AND from_ms > \(t.rawValue - longest)", "NOT (\(isShort))"] {
      SharedNeeds.require(.rows(of: SharedTable.spans.name, where: "\(begun) AND \(condition)"))
    }
  }

  /// - Parameter start: Short spans that began by this instant are omitted; the caller must check all spans.
  static func unpaidArguments(
    at t: Instant, expiredAfter start: Instant = .distantPast
  ) -> StatementArguments {
    [t, max(t - longest, start)]
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

  /// Returns terms for `ORDER BY`: ids by length in bytes, then by text, which sorts numeric ids by value.
  static func idOrder(_ column: String) -> String { "length(CAST(\(column) AS BLOB)), \(column)" }
}
