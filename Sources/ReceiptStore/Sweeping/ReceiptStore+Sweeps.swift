import GRDB
import Subscriptions

extension ReceiptStore {
  /// Registers a sweep. First corrects due dates from another policy or from a clock that was ahead. Receipts
  /// leased by killed sweeps become free.
  public func beginSweep(
    _ selection: SweepSelection, by starter: String, at now: Instant, in process: SweepProcess = .current
  ) throws(StoreError) -> SweepID {
    // A sweep visits each receipt once, in order, so it needs few cached pages.
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

  /// Page cache of the writer in KiB from the start of a sweep.
  private static let sweepCache = 2000

  /// Returns the instant until which the App Store asked sweeps to pause, or `nil`.
  ///
  /// - Parameter longest: Longest pause in milliseconds. Later instants are ignored, because a clock that was
  ///   ahead wrote them.
  public func notBefore(at now: Instant, longest: Int64) throws(StoreError) -> Instant? {
    try read("read the sweep pause from") { db in
      try Instant.fetchOne(
        db, sql: "SELECT max(not_before_ms) FROM sweeps WHERE not_before_ms > ? AND not_before_ms <= ?",
        arguments: [now, now + longest])
    }
  }

  /// Renews the sweep's leases and stores its counts.
  ///
  /// - Parameter clock: Called once the write lock is held, which may be long after this call.
  /// - Returns: The clock's value, and the receipts that the sweep still holds.
  public func keepAlive<Mark>(
    _ sweep: SweepID, progress: SweepSummary, lease: Int64, at clock: () -> (Mark, Instant)
  ) throws(StoreError) -> (at: Mark, kept: Set<ReceiptID>) {
    try write("renew the lease of a sweep in") { db in
      let (mark, now) = clock()
      try db.run(
        "UPDATE leases SET renewed_at_ms = ?, until_ms = ? WHERE sweep_id = ?",
        [now, now + lease, sweep.rawValue])
      try db.run("UPDATE sweeps SET lease_ms = ? WHERE id = ?", [lease, sweep.rawValue])
      try StoredSweep.write(progress, of: sweep, at: now, db)
      let held = try db.cachedStatement(sql: "SELECT receipt_id FROM leases WHERE sweep_id = ?")
      return (mark, try ReceiptID.fetchSet(held, arguments: [sweep.rawValue]))
    }
  }

  /// Records the end of a sweep, and ends its remaining leases.
  ///
  /// - Parameter failure: Sentence about the store or configuration error that ended the sweep.
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
      try db.run("DELETE FROM leases WHERE sweep_id = ?", [sweep.rawValue])
    }
  }

  public func sweeps(limit: Int, at now: Instant) throws(StoreError) -> [SweepRecord] {
    try read("list the sweeps of") { try StoredSweep.fetch(limit: limit, at: now, $0) }
  }
}
