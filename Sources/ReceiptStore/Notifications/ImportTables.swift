import GRDB

/// Temporary tables of one import, which SQLite puts into files of their own where they are large, and for which nobody else
/// has to wait.
struct ImportTables {
  let db: Database
  let names: [String]
  /// What makes them.
  let sql: String

  /// Begins with empty ones.
  func begin() throws {
    try end()
    try db.execute(sql: sql)
  }

  func end() throws { for name in names { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(name)") } }
}
