import GRDB
import Subscriptions

extension ChainRecord {
  /// The chain's row, where there is one.
  static func existing(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws -> ChainRecord? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM chains c WHERE c.original_transaction_id = ? AND c.environment = ?")
    return try FetchedRow.fetchOne(statement, arguments: [original, environment.rawValue]).map(
      ChainRecord.init)
  }

  /// Nil where there is no chain of that number.
  static func fetch(_ id: Int64, _ db: Database) throws -> ChainRecord? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM chains c WHERE c.id = ?")
    return try FetchedRow.fetchOne(statement, arguments: [id]).map(ChainRecord.init)
  }
}
