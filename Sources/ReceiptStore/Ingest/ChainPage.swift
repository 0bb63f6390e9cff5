import GRDB
import Subscriptions

/// Chains with consecutive numbers, whose rows are read together, table by table. Querying chain by chain
/// took longer than reading.
struct ChainPage {
  let records: [ChainRecord]

  init(_ records: [ChainRecord]) { self.records = records }

  /// - Parameter last: Number of the chain before the page.
  static func fetch(after last: Int64, atMost count: Int64, _ db: Database) throws -> ChainPage {
    ChainPage(try ChainRecord.fetch("chains c WHERE c.id > ? ORDER BY c.id LIMIT ?", [last, count], db))
  }

  /// Calls `body` with each row of the chains and the index of its chain.
  ///
  /// - Parameter sql: Query for the rows between two chain numbers, ordered by chain. Its first column is the
  ///   chain number.
  func forEach(
    _ sql: String, _ db: Database, _ body: (Int, BoundStatement.Columns) throws -> Void
  ) throws {
    guard let first = records.first?.id, let last = records.last?.id else { return }
    var place = 0
    try db.forEach(sql, [first, last]) { row in
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

/// Users and app of the receipts that hold a chain.
struct ChainHolders: Sendable {
  /// Users, with the instant at which a receipt of theirs was first seen to hold the chain.
  var users: [AppUserID: Instant] = [:]
  var app: BundleID?

  static func fetch(_ page: ChainPage, _ db: Database) throws -> [ChainHolders] {
    var holders = [ChainHolders](repeating: ChainHolders(), count: page.records.count)
    try page.forEach(
      """
      SELECT k.chain_id, k.first_observed_at_ms, q.app_user_id, q.bundle_id
      FROM receipt_chains k CROSS JOIN receipts q ON q.id = k.receipt_id WHERE k.chain_id BETWEEN ? AND ?
      ORDER BY k.chain_id, k.receipt_id
      """, db
    ) { place, row in
      holders[place].add(
        row.text(2) ?? AppUserID(""), since: row.instant(1) ?? .distantPast, app: row.text(3))
    }
    return holders
  }

  private mutating func add(_ user: AppUserID, since t: Instant, app: BundleID?) {
    if self.app == nil { self.app = app }
    // Empty if the app gave no user.
    if !user.rawValue.isEmpty { users[user] = min(t, users[user] ?? t) }
  }
}
