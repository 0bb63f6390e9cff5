import GRDB

/// The store's tables, made in one go.
///
/// Nothing has been released with another schema, so that there is nothing to migrate from; whoever changes it raises `version`.
enum Schema {
  /// Marks the file as ours: `stop` in ASCII, where `file` and SQLite's header keep such things.
  static let applicationID = 0x7374_6F70
  /// `PRAGMA user_version`; 0 is a file without tables.
  static let version = 26

  /// Makes the tables where there are none. Another process may be making them as well: what it has made is not made again.
  static func make(in pool: DatabasePool) throws {
    guard try pool.read(version(of:)) == 0 else { return }
    try pool.write { db in
      guard try version(of: db) == 0 else { return }
      try makeTables(in: db)
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }

  static func makeTables(in db: Database) throws {
    for statements in [
      receipts, chains, transactions, signed, renewalInfos, notifications, catalog, rates, lines, events,
      ledger, cohorts, sweeps, stoppedApps, sweptReceipts, leases, alerts, rowViews, Views.all,
    ] {
      try db.execute(sql: statements)
    }
  }

  static func version(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  static func checkedVersion(of db: Database) throws -> Int {
    try check(db)
    return try version(of: db)
  }

  /// Refuses a file that is not this program's, or of another schema.
  static func check(_ db: Database) throws {
    let found = try version(of: db)
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    if isEmpty, found == 0 { return }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw StoreError("it is another program's database; pass another --store")
    }
    guard found <= version else {
      throw StoreError(
        "it was written by a newer subtop (schema \(found)); update subtop or pass another --store")
    }
    guard found == version else {
      throw StoreError(
        "it was written by a subtop that was never released; import into a new store with another --store")
    }
    try checkEntries(of: db)
  }
}
