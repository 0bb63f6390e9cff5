import GRDB

/// Chains with consecutive numbers, whose rows are read together, table by table. Querying chain by chain
/// took longer than reading.
struct ChainPage {
  let records: [ChainRecord]

  init(_ records: [ChainRecord]) { self.records = records }

  /// - Parameter last: Number of the chain before the page.
  static func fetch(after last: Int64, atMost count: Int64, _ db: Database) throws -> ChainPage {
    var statement = try BoundStatement(
      "SELECT \(ChainRecord.columns) FROM chains c WHERE c.id > ? ORDER BY c.id LIMIT ?", db)
    statement.bind(last)
    statement.bind(count)
    var records: [ChainRecord] = []
    try statement.forEach { records.append(ChainRecord($0)) }
    return ChainPage(records)
  }

  /// Calls `body` with each row of the chains and the index of its chain.
  ///
  /// - Parameter sql: Query for the rows between two chain numbers, ordered by chain. Its first column is the
  ///   chain number.
  func forEach(
    _ sql: String, _ db: Database, _ body: (Int, BoundStatement.Columns) throws -> Void
  ) throws {
    guard let first = records.first?.id, let last = records.last?.id else { return }
    var statement = try BoundStatement(sql, db)
    statement.bind(first)
    statement.bind(last)
    var place = 0
    try statement.forEach { row in
      while place < records.count, records[place].id < row[0] { place += 1 }
      if place < records.count, records[place].id == row[0] { try body(place, row) }
    }
  }

  func rows<Row>(
    _ sql: String, _ db: Database, _ row: (ChainRecord, BoundStatement.Columns) throws -> Row?
  ) throws -> [[Row]] {
    var rows = [[Row]](repeating: [], count: records.count)
    try forEach(sql, db) { place, columns in
      if let row = try row(records[place], columns) { rows[place].append(row) }
    }
    return rows
  }
}
