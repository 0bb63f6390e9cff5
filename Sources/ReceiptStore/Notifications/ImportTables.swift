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

  /// The same where it is done over and over: what was prepared for them stays so.
  func renew() throws {
    try db.execute(sql: sql.replacing("CREATE TEMP TABLE", with: "CREATE TEMP TABLE IF NOT EXISTS"))
    for name in names { try db.execute(sql: "DELETE FROM temp.\(name)") }
  }

  func end() throws { for name in names { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(name)") } }
}
