import GRDB

/// Chains that follow each other in the order of their numbers, whose rows are read together, a table at a time: chain by chain, to ask
/// took longer than to read.
struct ChainPage {
  let records: [ChainRecord]

  init(_ records: [ChainRecord]) { self.records = records }

  /// - Parameter last: the one before them.
  static func fetch(after last: Int64, atMost count: Int64, _ db: Database) throws -> ChainPage {
    var statement = try BoundStatement(
      "SELECT \(ChainRecord.columns) FROM chains c WHERE c.id > ? ORDER BY c.id LIMIT ?", db)
    statement.bind(last)
    statement.bind(count)
    var records: [ChainRecord] = []
    try statement.forEach { records.append(ChainRecord($0)) }
    return ChainPage(records)
  }

  /// Reads rows of the chains one after the other, with the place of each one's chain.
  ///
  /// - Parameter sql: asks for rows of chains from a number through another, in the order of these; the number comes first.
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

  /// The rows of each chain.
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
