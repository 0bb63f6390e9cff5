import GRDB
import Subscriptions

extension ReceiptStore {
  /// Registers a sweep, and sees to the due dates first: those that another policy made, and those that a clock made which
  /// ran ahead.
  ///
  /// What sweeps had taken up whose process is gone is free from here on.
  ///
  /// - Parameters:
  ///   - starter: who started it, as `SweepRecord.startedBy`.
  ///   - process: the one that it runs in.
  public func beginSweep(
    _ selection: SweepSelection, by starter: String, at now: Instant, in process: SweepProcess = .current
  ) throws(StoreError) -> SweepID {
    // Its work comes to each receipt once, and to those beside it next: it needs few pages twice.
    try write("begin a sweep in") { db in try db.execute(sql: "PRAGMA cache_size = -\(Self.sweepCache)") }
    try bringDueDatesUpToDate(at: now)
    return try write("begin a sweep in") { db in
      try DueDates(db: db, policy: policy, now: now).clampFutureDates()
      try KilledSweeps.takeOver(db)
      try db.execute(
        sql: """
          INSERT INTO sweeps (started_at_ms, last_seen_at_ms, selection, started_by, host, boot_id, pid_namespace, pid,
            process_started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          now, now, selection.description, starter, process.host, process.bootID, process.pidNamespace,
          process.pid, Int64(bitPattern: process.started),
        ])
      let sweep = db.lastInsertedRowID
      try SweptReceipts.forget(before: sweep, db)
      return SweepID(rawValue: sweep)
    }
  }

  /// Kilobytes of pages that the writer keeps from a sweep's beginning on.
  private static let sweepCache = 2000

  /// Until when the App Store asked some sweep to leave it alone; nil where that is over.
  ///
  /// - Parameter longest: milliseconds from now. What is later was written by a clock that ran ahead.
  public func notBefore(at now: Instant, longest: Int64) throws(StoreError) -> Instant? {
    try read("ask when to sweep of") { db in
      try Instant.fetchOne(
        db, sql: "SELECT max(not_before_ms) FROM sweeps WHERE not_before_ms > ? AND not_before_ms <= ?",
        arguments: [now, now + longest])
    }
  }

  /// A sign of life: renews every lease that the sweep still holds, and keeps its counts.
  ///
  /// - Parameter clock: is looked at when it is this program's turn to write, which may be long after it was asked for.
  /// - Returns: what the clock said, and the receipts that are still the sweep's.
  public func keepAlive<Mark>(
    _ sweep: SweepID, progress: SweepSummary, lease: Int64, at clock: () -> (Mark, Instant)
  ) throws(StoreError) -> (at: Mark, kept: Set<ReceiptID>) {
    try write("keep a sweep alive in") { db in
      let (mark, now) = clock()
      try db.cachedStatement(sql: "UPDATE leases SET renewed_at_ms = ?, until_ms = ? WHERE sweep_id = ?")
        .execute(arguments: [now, now + lease, sweep.rawValue])
      try db.cachedStatement(sql: "UPDATE sweeps SET lease_ms = ? WHERE id = ?")
        .execute(arguments: [lease, sweep.rawValue])
      try StoredSweep.write(progress, of: sweep, at: now, db)
      let held = try db.cachedStatement(sql: "SELECT receipt_id FROM leases WHERE sweep_id = ?")
      return (mark, try ReceiptID.fetchSet(held, arguments: [sweep.rawValue]))
    }
  }

  /// Keeps what a sweep came to, and ends the leases that are left.
  ///
  /// - Parameter failure: the sentence of what ended it, where the store or the configuration did.
  public func finish(
    _ sweep: SweepID, _ summary: SweepSummary, failure: String? = nil, at now: Instant
  ) throws(StoreError) {
    defer { checkpoint() }
    try write("record a sweep in") { db in
      try StoredSweep.write(summary, of: sweep, at: now, db)
      try db.cachedStatement(
        sql: """
          UPDATE sweeps SET finished_at_ms = ?1, failure = ?2, stopped = iif(?2 IS NULL, stopped, 'failed') WHERE id = ?3
          """
      ).execute(arguments: [now, failure, sweep.rawValue])
      try db.cachedStatement(sql: "DELETE FROM leases WHERE sweep_id = ?").execute(arguments: [sweep.rawValue]
      )
    }
  }

  /// The newest sweeps first.
  public func sweeps(limit: Int, at now: Instant) throws(StoreError) -> [SweepRecord] {
    try read("list the sweeps of") { try StoredSweep.fetch(limit: limit, at: now, $0) }
  }
}
