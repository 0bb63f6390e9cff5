import GRDB
import Subscriptions

/// Dictionary of classes or shapes; on a team's server, an entry has the same id for all stores.
package enum SharedClass: Int, CaseIterable, Sendable {
  // Positions come before changes, which refer to them.
  case transactionShape = 1
  case eventShape, position, change, fact, cohort

  package var table: String {
    switch self {
    case .transactionShape: TransactionShape.sql.table
    case .eventShape: EventShape.sql.table
    case .position: PositionShape.sql.table
    case .change: ChangeShape.sql.table
    case .fact: FactShape.sql.table
    case .cohort: CohortShape.sql.table
    }
  }

  /// Selects the dictionary of the classes in the sums whose column `series` is `number`.
  package init(numbered number: Int) {
    self =
      switch LedgerSeries(numbered: number) {
      case .changes: .change
      case .facts: .fact
      case .cohorts: .cohort
      }
  }
}

/// Table whose rows are published by chain, with the store's columns, so that a reader can run the store's
/// queries over a copy of the rows.
package struct SharedTable: Sendable {
  private enum Reference {
    /// Id of a row; publishing adds the store's offset, so that ids of different stores do not collide.
    case row
    case number(SharedClass)
    /// Value that is not published, with the SQL of its replacement.
    case unpublished(String)
  }

  package let name: String
  /// SQL joins from a row `t` to the table that has the id of its chain; empty if `t` itself has the id.
  private let source: String
  private let chain: String
  private let references: [String: Reference]

  private init(
    _ name: String, from source: String = "", chain: String = "t.chain_id",
    _ references: KeyValuePairs<String, Reference>
  ) {
    (self.name, self.source, self.chain) = (name, source, chain)
    self.references = Dictionary(references.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  private static let ofLine = "JOIN lines o ON o.id = t.line_id"
  private static let ofTransaction = "JOIN transaction_rows o ON o.id = t.transaction_id"

  package static let chains = SharedTable("chains", chain: "t.id", ["id": .row, "answered_by": .row])
  package static let lines = SharedTable(
    "lines", ["id": .row, "chain_id": .row, "cohort_class_id": .number(.cohort)])
  package static let transactions = SharedTable(
    "transaction_rows",
    [
      "id": .row, "chain_id": .row, "line_id": .row, "duplicate_of": .row,
      "shape_id": .number(.transactionShape),
    ])
  package static let events = SharedTable(
    "event_rows", ["chain_id": .row, "shape_id": .number(.eventShape)])
  package static let spans = SharedTable(
    "spans", from: ofLine, chain: "o.chain_id",
    [
      "line_id": .row, "current_id": .row, "renewal_info_id": .row, "position_id": .number(.position),
      "change_id": .number(.change), "due_class_id": .number(.fact),
    ])
  package static let episodes = SharedTable(
    "episodes", from: ofLine, chain: "o.chain_id",
    [
      "line_id": .row, "current_id": .row, "class_id": .number(.fact), "later_class_id": .number(.fact),
    ])

  /// Tables that the server has as rows, for queries by class and time.
  package static let rows = [chains, lines, transactions, spans, episodes, events]

  static let evidence = [
    lines, transactions, events,
    SharedTable("transaction_sightings", from: ofTransaction, chain: "o.chain_id", ["transaction_id": .row]),
    SharedTable(
      "signed_terms", from: "JOIN transaction_rows o ON o.id = t.transaction_row", chain: "o.chain_id",
      ["transaction_row": .row]),
    SharedTable("renewal_terms", ["chain_id": .row]),
    SharedTable("renewal_infos", ["id": .row, "chain_id": .row]),
    SharedTable("notifications", ["id": .row, "chain_id": .row]),
  ]

  /// Tables of a chain's receipts, which change with every validation; their digests are not published.
  static let receipts = [
    SharedTable("receipt_chains", ["receipt_id": .row, "chain_id": .row]),
    SharedTable(
      "receipts", from: "JOIN receipt_chains o ON o.receipt_id = t.id", chain: "o.chain_id",
      ["id": .row, "fingerprint": .unpublished("t.id"), "answer_digest": .unpublished("NULL")]),
  ]

  package func columns(_ db: Database) throws -> [(name: String, type: String)] {
    try db.columns(in: name).map { ($0.name, $0.type) }
  }

  /// Whether the server's table needs an additional column for the chain.
  package var needsChain: Bool { chain == "o.chain_id" }

  /// Returns the published values of a row `t` as SQL, in column order, with `offset` added to row ids.
  func values(_ offset: Int64, _ db: Database) throws -> [String] {
    try columns(db).map { column, _ in
      switch references[column] {
      case .row: "t.\(column) + \(offset)"
      case .unpublished(let value): "CAST(\(value) AS TEXT)"
      case .number(let kind):
        """
        (SELECT shared_id FROM published_classes WHERE kind = \(kind.rawValue) AND local_id = t.\(column))
        """
      case nil: "t.\(column)"
      }
    }
  }

  /// SQL that follows the columns, and selects the rows of the chain `?1` in a fixed order.
  var ofChain: String { "FROM \(name) t \(source) WHERE \(chain) = ?1 ORDER BY 1, 2, 3" }

  /// Returns the query for the rows of the chain `?1` as the server has them.
  func select(_ offset: Int64, _ db: Database) throws -> String {
    let chain = needsChain ? ["\(chain) + \(offset)"] : []
    return "SELECT \((try values(offset, db) + chain).joined(separator: ", ")) \(ofChain)"
  }
}
