import GRDB

/// Check of the schema's text. A foreign table, index, trigger or view could make SQLite run statements of
/// the file's author.
extension Schema {
  /// Row of `sqlite_schema`.
  private struct Entry: Hashable {
    var type: String?
    var name: String?
    var table: String?
    /// `nil` for the indexes that SQLite creates for `UNIQUE` and `PRIMARY KEY`.
    var sql: String?

    /// Type and name with every character except ASCII letters, digits and underscores replaced, since a file
    /// can contain any name.
    var title: String {
      func plain(_ text: String?) -> String {
        String(
          (text ?? "").unicodeScalars.prefix(64).map {
            $0.isASCII && $0.properties.isIDContinue ? Character($0) : "?"
          })
      }
      return "\(plain(type)) \(plain(name))"
    }
  }

  /// Tables that `ANALYZE` creates. Other programs may run it, and SQLite's query planner reads them.
  private static let statistics = [
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
  ].map { Entry(type: "table", name: $0, table: $0, sql: $1) }

  /// Expected entries, computed once from tables in memory.
  private static let own = Result {
    try DatabaseQueue().write { db in
      try makeTables(in: db)
      return try entries(of: db)
    }
  }

  private static func entries(of db: Database) throws -> Set<Entry> {
    let rows = try FetchedRow.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return Set(try rows.map { try Entry(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) })
  }

  /// Checks that the entries of the schema equal this program's, text for text.
  ///
  /// - Throws: `StoreError` if an entry is missing, different or foreign.
  static func checkEntries(of db: Database) throws {
    let own = try Self.own.get()
    let found = try entries(of: db).subtracting(statistics)
    guard found != own else { return }
    func first(of entries: Set<Entry>) -> String? { entries.map(\.title).min() }
    let what =
      first(of: found.subtracting(own)).map { "it holds the \($0), which is not as subtop makes it" }
      ?? first(of: own.subtracting(found)).map { "it lacks the \($0)" } ?? "its schema is not subtop's"
    throw StoreError(
      "\(what); pass another --store, or restore a copy of `subtop backup` that you made yourself. Views, indexes and triggers "
        + "of your own belong in a database that attaches this one")
  }
}
