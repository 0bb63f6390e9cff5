import GRDB

/// Content of all tables, read without the program.
struct StoreTables: Equatable, CustomStringConvertible {
  static let sweeps: Set = ["sweeps", "sweep_statuses", "sweep_http", "sweep_stopped_apps", "sweep_receipts"]

  var rows: [String: [String]]

  init(_ path: String, leavingOut left: Set<String> = []) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    rows = try database.read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      var rows: [String: [String]] = [:]
      for table in tables where !left.contains(table) {
        rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map(\.description).sorted()
      }
      return rows
    }
  }

  var description: String {
    rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
  }

  static func execute(_ sql: String, on path: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }
}
