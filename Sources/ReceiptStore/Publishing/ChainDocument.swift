import GRDB

/// Chain as a JSON document with an array of rows for each table; a row is an array in column order.
///
/// SQLite's JSON functions write and read it. The tables are either `SharedTable.evidence`, which suffice to
/// answer every question about the chain, or `SharedTable.receipts`.
struct ChainDocument {
  let tables: [SharedTable]
  private let query: String

  /// - Parameter offset: Number that is added to row ids (`PublicationState.offset`).
  init(_ tables: [SharedTable], offset: Int64, _ db: Database) throws {
    self.tables = tables
    let members = try tables.map { table in
      let values = try table.values(offset, db)
      let names = values.indices.map { "v\($0)" }
      let columns = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
      return """
        '\(table.name)', (SELECT json_group_array(json_array(\(names.joined(separator: ", "))))
          FROM (SELECT \(columns) \(table.ofChain)))
        """
    }
    query = "SELECT json_object(\(members.joined(separator: ", ")))"
  }

  func encode(chain: Int64, _ db: Database) throws -> String {
    try db.rows(query, [chain]) { $0.longText(0) }.first ?? "{}"
  }

  /// Adds the rows of a document to a store's tables, replacing rows with known keys.
  static func add(_ document: String, of tables: [SharedTable], to db: Database) throws {
    for table in tables {
      let columns = try table.columns(db).map(\.name)
      let values = columns.indices.map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
      try db.run(
        """
        INSERT OR REPLACE INTO \(table.name) (\(columns.joined(separator: ", ")))
        SELECT \(values) FROM json_each(?, '$.\(table.name)')
        """, [document])
    }
  }
}
