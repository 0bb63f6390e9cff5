import GRDB
import Subscriptions

/// PostgreSQL queries for the chains of a list on a team's server, with the same selection and order as the
/// SQLite queries for this list.
struct SharedQuery {
  private let db: Database
  private let question: Question

  init(_ db: Database, _ question: Question) { (self.db, self.question) = (db, question) }

  private static let newestChains = """
    octet_length(c.original_transaction_id), c.original_transaction_id COLLATE "C", c.environment
    """

  private var isInWindow: (String) -> String {
    { [question] in "\($0) > \(question.window.from.rawValue) AND \($0) <= \(question.at.rawValue)" }
  }

  private var environment: String { StoreQuery(db: db, question: question).environment("c.environment") }

  func upgrades() throws -> String {
    """
    SELECT x.chain_id FROM transaction_rows x JOIN lines l ON l.id = x.line_id AND l.chain_id = x.chain_id
      JOIN chains c ON c.id = x.chain_id
    WHERE \(isInWindow("x.upgraded_at_ms")) AND \(environment.sqlCondition) AND l.is_family_shared = 0
      AND \(try shapes(of: "x.shape_id", ["product_id"], in: "transaction_shapes"))
    ORDER BY x.upgraded_at_ms DESC, octet_length(x.transaction_id), x.transaction_id COLLATE "C"
    LIMIT \(question.limit)
    """
  }

  func events(limit: Int) throws -> String {
    """
    SELECT e.chain_id FROM event_rows e JOIN chains c ON c.id = e.chain_id
    WHERE \(isInWindow("e.effective_at_ms")) AND \(environment.sqlCondition)
      AND \(try shapes(of: "e.shape_id", ["product_id", "new_product_id"], in: "event_shapes"))
    ORDER BY e.effective_at_ms DESC, \(Self.newestChains) LIMIT \(limit)
    """
  }

  /// Returns the query for chains with a renewal due within `horizon` milliseconds, without a `LIMIT`.
  func due(horizon: Int64, isFirst: Bool) throws -> String {
    let t = question.at.rawValue
    return """
      SELECT d.chain_id FROM transaction_rows d
        JOIN spans p ON p.chain_id = d.chain_id AND p.line_id = d.line_id AND p.current_id = d.id
        JOIN chains c ON c.id = d.chain_id
      WHERE d.expires_date_ms > \(t) AND d.expires_date_ms <= \(t + horizon)
        AND p.from_ms <= \(t) AND p.until_ms > \(t) AND \(environment.sqlCondition)
        AND \(try shapes(of: "d.shape_id", ["product_id"], in: "transaction_shapes"))
      ORDER BY d.expires_date_ms \(isFirst ? "ASC" : "DESC"), d.chain_id
      """
  }

  static func standing(_ changes: [Int64], at t: Instant, _ limit: Int) -> String {
    """
    SELECT s.chain_id FROM spans s JOIN chains c ON c.id = s.chain_id
    WHERE s.from_ms <= \(t.rawValue) AND \(isOne(of: changes, "s.change_id")) AND NOT EXISTS (
      SELECT 1 FROM spans n WHERE n.chain_id = s.chain_id AND n.line_id = s.line_id AND n.from_ms > s.from_ms
        AND n.from_ms <= \(t.rawValue) AND n.change_id IS NOT NULL)
    ORDER BY s.from_ms DESC, \(newestChains) LIMIT \(limit)
    """
  }

  static func chains(_ changes: [Int64], in window: Window, _ limit: Int) -> String {
    """
    SELECT s.chain_id FROM spans s JOIN chains c ON c.id = s.chain_id
    WHERE s.from_ms > \(window.from.rawValue) AND s.from_ms <= \(window.to.rawValue)
      AND \(isOne(of: changes, "s.change_id"))
    ORDER BY s.from_ms DESC, \(newestChains) LIMIT \(limit)
    """
  }

  static func isOne(of numbers: [Int64], _ column: String) -> String {
    guard !numbers.isEmpty else { return "false" }
    return "\(column) IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
  }

  /// Returns the SQL condition that selects rows of the query's products, by the ids of their shapes.
  func shapes(of column: String, _ products: [String], in table: String) throws -> String {
    guard !question.products.isEmpty else { return "true" }
    let query = StoreQuery(db: db, question: question)
    let values = StatementArguments(
      Dictionary(
        question.products.sorted().enumerated().map { ("product\($0)", $1) }, uniquingKeysWith: { $1 }))
    let numbers = try db.rows(
      "SELECT id FROM \(table) WHERE \(products.map(query.product).joined(separator: " OR "))", values
    ) { $0[0] as Int64 }
    return Self.isOne(of: numbers, column)
  }
}

extension String {
  /// Condition for PostgreSQL, which does not accept the number 1 as true.
  fileprivate var sqlCondition: String { self == "1" ? "true" : self }
}
