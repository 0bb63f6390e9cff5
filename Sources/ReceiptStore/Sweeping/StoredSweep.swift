import GRDB
import Subscriptions

/// Sweeps as they stand in the tables.
enum StoredSweep {
  private static let columns = """
    id, started_at_ms, last_seen_at_ms, finished_at_ms, lease_ms, selection, started_by, picked, validated, unchanged,
    changed, new_transactions, renewals, refunds, state_changes, rerouted, retried, retry_later, rejected, given_back,
    transport_errors, latency_p50_ms, latency_p95_ms, stopped, failure, not_before_ms
    """

  static func fetch(limit: Int, at now: Instant, _ db: Database) throws -> [SweepRecord] {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM sweeps ORDER BY id DESC LIMIT ?")
    return try FetchedRow.fetchAll(statement, arguments: [limit]).map { row in
      var sweep = record(row, at: now)
      sweep.statuses = try statuses(of: sweep.id, db)
      return sweep
    }
  }

  private static func record(_ row: FetchedRow, at now: Instant) -> SweepRecord {
    let (lastSeen, finished, lease): (Instant, Instant?, Int64) = (row[2], row[3], row[4])
    let isAlive = now - lastSeen <= lease && lastSeen - now <= Milliseconds.minute
    var sweep = SweepRecord(
      id: SweepID(rawValue: row[0]), state: finished != nil ? .finished : isAlive ? .running : .lost,
      startedAtMs: row[1], selection: row[5], startedBy: row[6])
    sweep.lastSeenAtMs = lastSeen
    sweep.finishedAtMs = finished
    (sweep.picked, sweep.validated, sweep.unchanged, sweep.changed) = (row[7], row[8], row[9], row[10])
    (sweep.newTransactions, sweep.renewals, sweep.refunds) = (row[11], row[12], row[13])
    (sweep.stateChanges, sweep.rerouted, sweep.retried) = (row[14], row[15], row[16])
    (sweep.retryLater, sweep.rejected, sweep.givenBack) = (row[17], row[18], row[19])
    sweep.transportErrors = row[20]
    if let p50 = row[21] as Double?, let p95 = row[22] as Double? {
      sweep.latencyMs = LatencyQuantiles(p50: p50, p95: p95)
    }
    (sweep.stopped, sweep.failure, sweep.notBeforeMs) = (row[23], row[24], row[25])
    return sweep
  }

  private static func statuses(of sweep: SweepID, _ db: Database) throws -> [StatusTally] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT status, count, last_seen_at_ms, example_receipt_id FROM sweep_statuses WHERE sweep_id = ?
        ORDER BY status
        """)
    return try FetchedRow.fetchAll(statement, arguments: [sweep.rawValue]).map { row in
      StatusTally(status: row[0], count: row[1], lastSeenAtMs: row[2], exampleReceipt: row[3])
    }
  }

  /// Keeps how far a sweep has come.
  static func write(_ summary: SweepSummary, of sweep: SweepID, at now: Instant, _ db: Database) throws {
    let counts = summary.counts
    let update = try db.cachedStatement(
      sql: """
        UPDATE sweeps SET last_seen_at_ms = ?, picked = ?, validated = ?, unchanged = ?, changed = ?,
          new_transactions = ?, renewals = ?, refunds = ?, state_changes = ?, rerouted = ?, retried = ?, retry_later = ?,
          rejected = ?, given_back = ?, transport_errors = ?, latency_p50_ms = ?, latency_p95_ms = ?, stopped = ?, not_before_ms = ?
        WHERE id = ?
        """)
    let values: [(any DatabaseValueConvertible)?] = [
      now, counts.picked, counts.validated, counts.unchanged, counts.changed, counts.news.newTransactions,
      counts.news.renewals, counts.news.refunds, counts.news.stateChanges, counts.rerouted, counts.retried,
      counts.retryLater, counts.rejected, counts.givenBack, counts.transportErrors, summary.latency?.p50,
      summary.latency?.p95, summary.stopped?.rawValue, summary.notBeforeMs, sweep.rawValue,
    ]
    try update.execute(arguments: StatementArguments(values))
    let upsert = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO sweep_statuses (sweep_id, status, count, last_seen_at_ms, example_receipt_id)
        VALUES (?, ?, ?, ?, ?)
        """)
    for tally in summary.statuses {
      try upsert.execute(arguments: [
        sweep.rawValue, tally.status, tally.count, tally.lastSeenAtMs, tally.exampleReceipt,
      ])
    }
  }
}
