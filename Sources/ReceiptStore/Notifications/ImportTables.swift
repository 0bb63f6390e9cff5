import GRDB

/// Temporary tables of one import. SQLite moves large ones to files, and other writers do not wait for them.
struct ImportTables {
  let db: Database
  let names: [String]
  let sql: String

  func begin() throws {
    try end()
    try db.execute(sql: sql)
  }

  /// Empties the tables, and keeps the statements prepared for them.
  func renew() throws {
    try db.execute(sql: sql.replacing("CREATE TEMP TABLE", with: "CREATE TEMP TABLE IF NOT EXISTS"))
    for name in names { try db.execute(sql: "DELETE FROM temp.\(name)") }
  }

  func end() throws { for name in names { try db.execute(sql: "DROP TABLE IF EXISTS temp.\(name)") } }
}
