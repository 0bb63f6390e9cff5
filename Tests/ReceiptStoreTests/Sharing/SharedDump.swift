import ReceiptStore
import Sharing

/// Contents of a team's schema as text.
enum SharedDump {
  /// Returns the rows of all tables except `parts`, table by table.
  static func lines(_ server: SharedServer) throws -> [String] {
    let connection = try PostgresConnection(server)
    let names = ["classes", "sums", "part_sums", "terms", "documents", "ids"] + SharedTable.rows.map(\.name)
    return try connection.transaction(SharedSchema(server).name, isReading: true) {
      try Set(names).sorted().flatMap { name in
        let rows = try connection.run("SELECT (t.*)::text FROM \(name) t ORDER BY 1")
        return (0..<rows.count).map { "\(name) \(rows.text($0, 0) ?? "")" }
      }
    }
  }

  static func rows(_ query: String, _ server: SharedServer) throws -> [String] {
    let connection = try PostgresConnection(server)
    return try connection.transaction(SharedSchema(server).name, isReading: true) {
      let rows = try connection.run("SELECT (t.*)::text FROM (\(query)) t")
      return (0..<rows.count).map { rows.text($0, 0) ?? "" }
    }
  }

  static func tables(_ server: SharedServer) throws -> String {
    try SharedSchema(server).statements()
  }

  static func run(_ statements: String, _ server: SharedServer) throws {
    try PostgresConnection(server).runAll(statements)
  }
}
