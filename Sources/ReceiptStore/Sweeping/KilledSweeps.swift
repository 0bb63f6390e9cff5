import GRDB
import Subscriptions

/// Sweeps whose process was killed. Their leases are void at once.
enum KilledSweeps {
  /// Returns the sweeps that are known to be killed. Leases of the others expire by time.
  static func fetch(_ db: Database) throws -> [SweepID] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, host, boot_id, pid_namespace, pid, process_started FROM sweeps WHERE finished_at_ms IS NULL
        """)
    return try FetchedRow.fetchAll(statement).filter { try process($0, from: 1).standing == .gone }
      .map { SweepID(rawValue: try $0[0]) }
  }

  static func process(_ row: FetchedRow, from column: Int) throws -> SweepProcess {
    try SweepProcess(
      host: row[column], bootID: row[column + 1], pidNamespace: row[column + 2], pid: row[column + 3],
      started: UInt64(bitPattern: row[column + 4] as Int64))
  }

  /// Ends their leases, and marks them as killed.
  static func takeOver(_ db: Database) throws {
    for sweep in try fetch(db) {
      try db.cachedStatement(sql: "DELETE FROM leases WHERE sweep_id = ?").execute(arguments: [sweep.rawValue]
      )
      try db.cachedStatement(
        sql: "UPDATE sweeps SET finished_at_ms = last_seen_at_ms, stopped = ? WHERE id = ?"
      ).execute(arguments: [SweepRecord.killed, sweep.rawValue])
    }
  }
}
