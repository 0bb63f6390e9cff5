import GRDB

struct StoreFile {
  let path: String

  func complaints() throws -> [String] {
    try read { db in
      let damage = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      let strays = try GRDB.Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map(\.description)
      return damage + strays
    }
  }

  func number(_ sql: String) throws -> Int64 { try read { try Int64.fetchOne($0, sql: sql) ?? 0 } }

  /// End of the last lease in milliseconds since 1970; `nil` without leases.
  func lastLeaseEnd() throws -> Int64? {
    try read { try Int64.fetchOne($0, sql: "SELECT max(until_ms) FROM leases") }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    // A sweep that runs beside it may hold the lock for a moment.
    configuration.busyMode = .timeout(300)
    return try DatabaseQueue(path: path, configuration: configuration).read(body)
  }

  /// Copies a closed store with its log.
  func copy(to other: String) throws {
    for suffix in ["", "-wal", "-shm"] { File.remove(other + suffix) }
    for suffix in ["", "-wal"] where File.exists(path + suffix) {
      try File.write(File.bytes(path + suffix), to: other + suffix)
    }
  }

  func forgetDerived() throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      // Derived columns follow those of the answer.
      let ofShapes = try db.columns(in: "transaction_shapes").map(\.name).drop { $0 != "kind" }
      let ofRows = [
        "line_id", "effective_end_ms", "cancelled_at_ms", "refunded_at_ms", "upgraded_at_ms",
        "prorated_refund_micros", "duplicate_of", "partial_refund_micros",
      ]
      let nothing = { (columns: [String]) in columns.map { "\($0) = NULL" }.joined(separator: ", ") }
      for sql in [
        "DELETE FROM spans", "DELETE FROM event_rows", "UPDATE transaction_rows SET \(nothing(ofRows))",
        "UPDATE transaction_shapes SET \(nothing(Array(ofShapes)))", "DELETE FROM lines",
      ] {
        try db.execute(sql: sql)
      }
    }
  }
}

final class OtherWriter: Sendable {
  private let queue: DatabaseQueue

  init(of path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(Double(patience))
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  /// Closes the file too, since its locks would be lost if this process copied it (fcntl(2)).
  func end() throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }
}
