import GRDB
import Subscriptions

/// Page of chains in order of id; their rows are read table by table, because queries per chain were slower.
struct ChainPage {
  let records: [ChainRecord]

  init(_ records: [ChainRecord]) { self.records = records }

  static func fetch(after last: Int64, atMost count: Int64, _ db: Database) throws -> ChainPage {
    ChainPage(try ChainRecord.fetch("chains c WHERE c.id > ? ORDER BY c.id LIMIT ?", [last, count], db))
  }

  /// Returns an array for each chain, with the results of `row` for the chain's rows, except `nil` results.
  ///
  /// - Parameter sql: Query for the rows of the chains between two ids, ordered by chain; its first column is
  ///   the chain id.
  func rows<Row>(
    _ sql: String, _ db: Database, _ row: (ChainRecord, BoundStatement.Columns) throws -> Row?
  ) throws -> [[Row]] {
    var rows = [[Row]](repeating: [], count: records.count)
    guard let first = records.first?.id, let last = records.last?.id else { return rows }
    var place = 0
    try db.forEach(sql, [first, last]) { columns in
      while place < records.count, records[place].id < columns[0] { place += 1 }
      guard place < records.count, records[place].id == columns[0] else { return }
      if let row = try row(records[place], columns) { rows[place].append(row) }
    }
    return rows
  }
}

struct ChainHolders: Sendable {
  /// Users, with the instant at which a receipt of the user was first seen to contain the chain.
  var users: [AppUserID: Instant] = [:]
  var app: BundleID?

  static func fetch(_ page: ChainPage, _ db: Database) throws -> [ChainHolders] {
    try page.rows(
      """
      SELECT k.chain_id, k.first_observed_at_ms, nullif(q.app_user_id, ''), q.bundle_id
      FROM receipt_chains k CROSS JOIN receipts q ON q.id = k.receipt_id WHERE k.chain_id BETWEEN ? AND ?
      ORDER BY k.chain_id, k.receipt_id
      """, db
    ) { (since: $1.date(1), user: $1.text(2) as AppUserID?, app: $1.text(3) as BundleID?) }.map { receipts in
      let users = receipts.compactMap { receipt in receipt.user.map { ($0, receipt.since) } }
      return ChainHolders(
        users: Dictionary(users, uniquingKeysWith: min), app: receipts.lazy.compactMap(\.app).first)
    }
  }
}
