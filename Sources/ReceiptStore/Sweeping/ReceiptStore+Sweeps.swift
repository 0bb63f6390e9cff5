import GRDB
import Subscriptions

extension ReceiptStore {
  /// Registers a sweep; first corrects due dates, and ends the leases of killed sweeps.
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

  /// Page cache of the writer in KiB after the start of a sweep.
  private static let sweepCache = 2000

  /// Returns the instant until which the App Store asked sweeps to pause; `nil` if no pause is needed.
  ///
  /// - Parameter longest: Longest possible pause in milliseconds. Stored instants beyond it are ignored,
  ///   because they were written while the clock was ahead.
  public func notBefore(at now: Instant, longest: Int64) throws(StoreError) -> Instant? {
    try read("read the sweep pause from") { db in
      try Instant.fetchOne(
        db, sql: "SELECT max(not_before_ms) FROM sweeps WHERE not_before_ms > ? AND not_before_ms <= ?",
        arguments: [now, now + longest])
    }
  }

  /// Renews the sweep's leases and stores its counts.
  ///
  /// - Parameter clock: Returns a mark of the caller and the current instant; called after the wait for the
  ///   write lock.
  /// - Returns: The `Mark` from `clock`, and the receipts whose leases the sweep still has.
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

  // MARK: Claims

  /// Returns how many receipts of a selection can be claimed, and how many are leased by sweeps.
  public func count(
    of selection: SweepSelection, at now: Instant
  ) throws(StoreError) -> (free: Int, held: Int) {
    try read("count receipts in") { db in
      let all = SelectedReceipts(selection, at: now)
      var free = all
      free.leaveOutHeld(at: now, killed: try KilledSweeps.fetch(db))
      let (whole, rest) = (try Self.count(all, db), try Self.count(free, db))
      return (rest, whole - rest)
    }
  }

  private static func count(_ selected: SelectedReceipts, _ db: Database) throws -> Int {
    try selected.parts.reduce(0) { count, part in
      try count
        + (Int.fetchOne(
          db, sql: "SELECT count(*) FROM receipts q WHERE \(part.condition)",
          arguments: StatementArguments(part.arguments)) ?? 0)
    }
  }

  public func receiptIDs(of selection: SweepSelection, at now: Instant) throws(StoreError) -> [ReceiptID] {
    try read("list receipts of") { db in
      try SelectedReceipts(selection, at: now).parts.flatMap { part in
        try ReceiptID.fetchAll(
          db, sql: "SELECT q.id FROM receipts q WHERE \(part.condition) ORDER BY q.id",
          arguments: StatementArguments(part.arguments))
      }
    }
  }

  /// Leases up to `limit` free receipts, longest due first, or by id if the selection is not `.due`.
  ///
  /// - Parameters:
  ///   - started: Start of the sweep. `.all` excludes receipts that were checked since then, and `.due`
  ///     excludes receipts that became due since then.
  ///   - bytes: Total size of contents after which no further receipt is read; unread receipts are released.
  public func claim(
    _ selection: SweepSelection, for sweep: SweepID, started: Instant, after: ClaimCursor?, limit: Int,
    bytes: Int = .max, lease: Int64, at clock: @autoclosure () -> Instant
  ) throws(StoreError) -> Claim {
    let taken = try write("claim receipts in") { db in
      // Read the clock here, because waiting for the write lock may have taken long.
      let now = clock()
      var selected = SelectedReceipts(selection, at: started)
      selected.leaveOutHeld(at: now, killed: try KilledSweeps.fetch(db))
      if selection == .all { selected.leaveOutChecked(since: started, by: now) }
      if let after { selected.goOn(after: after) }
      let taken = try Self.next(selected, limit: limit, db)
      let hold = try db.cachedStatement(
        sql:
          "INSERT OR REPLACE INTO leases (receipt_id, sweep_id, renewed_at_ms, until_ms) VALUES (?, ?, ?, ?)"
      )
      for cursor in taken { try hold.execute(arguments: [cursor.id, sweep.rawValue, now, now + lease]) }
      return taken
    }
    let (receipts, count) = try dueReceipts(taken.map(\.id), bytes: bytes)
    try release(taken[count...].map(\.id), of: sweep)
    return Claim(
      receipts: receipts, cursor: taken[..<count].last ?? after,
      isLast: taken.count < limit && count == taken.count)
  }

  private static func next(_ selected: SelectedReceipts, limit: Int, _ db: Database) throws -> [ClaimCursor] {
    var taken: [ClaimCursor] = []
    for part in selected.parts where taken.count < limit {
      var arguments = part.arguments
      arguments["limit"] = limit - taken.count
      taken += try db.rows(
        """
        SELECT q.id, q.next_due_at_ms FROM receipts q WHERE \(part.condition) ORDER BY \(part.order) LIMIT :limit
        """, StatementArguments(arguments)
      ) { row in
        try ClaimCursor(due: part.isByDueDate ? row.read(1) : nil, id: row.read(0))
      }
    }
    return taken
  }

  /// Reads claimed receipts outside the claim's transaction, because they are large and writers would wait.
  ///
  /// - Returns: The receipts, and the number of ids read.
  private func dueReceipts(
    _ ids: [ReceiptID], bytes: Int
  ) throws(StoreError) -> (receipts: [DueReceipt], count: Int) {
    guard !ids.isEmpty else { return ([], 0) }
    return try read("read receipts from") { db in
      let receipt = """
        SELECT c.receipt_data, q.environment, q.bundle_id, q.attempts, q.failing_since_ms, q.last_failure,
          q.same_failure_since_ms, q.full_answer_at_ms, l.receipt_data, u.customer_id,
          iif(u.environment = ifnull(q.environment, u.environment), u.revision, NULL)
        FROM receipts q LEFT JOIN receipt_contents c ON c.receipt_id = q.id
          LEFT JOIN customers u ON u.receipt_id = q.id
          LEFT JOIN latest_receipts l ON l.receipt_id = q.id AND q.attempts = 0
        WHERE q.id = ?
        """
      let chains = try db.cachedStatement(
        sql: """
          SELECT c.original_transaction_id FROM receipt_chains k JOIN chains c ON c.id = k.chain_id
          WHERE k.receipt_id = ?
          """)
      var due: [DueReceipt] = []
      var read = 0
      for (count, id) in ids.enumerated() {
        guard read < bytes else { return (due, count) }
        let chains = try OriginalTransactionID.fetchSet(chains, arguments: [id])
        try db.forEach(receipt, [id]) { row in
          var history = FailureHistory()
          (history.failures, history.since, history.lastReason) = try (row.read(3), row.read(4), row.read(5))
          (history.sameSince, history.wasValidated) = try (row.read(6), (row.read(1) as String?) != nil)
          due.append(
            try DueReceipt(
              id: id, data: row.longText(0).map(ReceiptData.init(trusted:)),
              customer: row.read(9) ?? chains.map { CustomerID($0.rawValue) }.filter(\.isCredible).min(),
              revision: row.read(10), latest: row.longText(8).map(ReceiptData.init(trusted:)),
              environment: (row.read(1) as String?).map(StoreEnvironment.init), bundleID: row.read(2),
              history: history, lastFullAnswer: row.read(7), originalTransactionIDs: chains))
          read += due[due.count - 1].size
        }
      }
      return (due, ids.count)
    }
  }

  public func release(_ receipts: [ReceiptID], of sweep: SweepID) throws(StoreError) {
    guard !receipts.isEmpty else { return }
    try write("return receipts to the queue of") { db in
      for receipt in receipts { _ = try Lease.end(receipt, of: sweep, db) }
    }
  }

  // MARK: Outcomes

  /// Records outcomes in one commit, each completely or not at all, and ends the leases.
  ///
  /// - Parameters:
  ///   - sweep: Sweep that claimed the receipts; `nil` if they were not claimed.
  ///   - progress: Receives the recorded outcomes; returns the sweep's progress including them, for the same
  ///     commit, so that the record is exact even if the process is killed.
  public func record(
    _ outcomes: [ReceiptOutcome], of sweep: SweepID?, at now: Instant,
    progress: ([RecordedOutcome]) -> SweepSummary? = { _ in nil }
  ) throws(StoreError) -> [RecordedOutcome] {
    try write("record answers in") { db in
      let writer = try AnswerWriter(db: db, policy: policy, now: now)
      let recorded = try outcomes.map { outcome in
        if let sweep, try !Lease.end(outcome.receipt, of: sweep, db), !outcome.isAnswer {
          return RecordedOutcome.lost
        }
        return try Self.recordAlone(outcome, writer)
      }
      try writer.ledger.finish()
      if let sweep { try SweptReceipts.write(zip(outcomes, recorded), of: sweep, db) }
      if let sweep, let summary = progress(recorded) {
        try StoredSweep.write(summary, of: sweep, at: now, db)
      }
      return recorded
    }
  }

  /// Records an outcome in a savepoint, so that a violated UNIQUE constraint affects only this outcome.
  private static func recordAlone(_ outcome: ReceiptOutcome, _ writer: AnswerWriter) throws -> RecordedOutcome
  {
    var recorded = RecordedOutcome.noted
    let savepoint = writer.ledger.savepoint
    do {
      try writer.db.inSavepoint {
        recorded = try record(outcome, writer)
        return .commit
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      writer.ledger.rollBack(to: savepoint)
      let reason = "the answer contradicts itself: \(error.message ?? "a constraint failed")"
      try writer.postpone(
        outcome.receipt, status: nil, reason: reason, nextDue: writer.now + Milliseconds.day)
      return .refused(reason: reason)
    }
    return recorded
  }

  private static func record(_ outcome: ReceiptOutcome, _ writer: AnswerWriter) throws -> RecordedOutcome {
    if outcome.isLatestRefused { try LatestReceipt.drop(of: outcome.receipt, writer.db) }
    switch outcome.result {
    case .answered(let answer, let status, let isPartial):
      guard let receipt = try ReceiptRecord.fetch(outcome.receipt, writer.db) else {
        return .lost
      }
      let outcome = try writer.take(answer, extent: isPartial ? .partial : .full, status: status, of: receipt)
      switch outcome {
      case .refused(let reason):
        try writer.postpone(
          receipt.id, status: status, reason: reason, nextDue: writer.now + Milliseconds.day)
      case .changed:
        if let latest = answer.latestReceipt {
          try LatestReceipt.write(latest, of: receipt.id, at: writer.now, writer.db)
        }
      case .unchanged, .noted, .lost: break
      }
      return outcome
    case .signed(let history, let isPartial):
      guard let receipt = try ReceiptRecord.fetch(outcome.receipt, writer.db) else {
        return .lost
      }
      return try writer.take(history, isPartial: isPartial, of: receipt)
    case .retryLater(let status, let reason, let nextDue, let rule):
      try writer.postpone(outcome.receipt, status: status, reason: reason, nextDue: nextDue, rule: rule)
    case .rejected(let status, let reason):
      try writer.reject(outcome.receipt, status: status, reason: reason)
    case .accountGone: try writer.end(outcome.receipt)
    }
    return .noted
  }
}

enum Lease {
  /// Ends a sweep's lease; returns `false` if it has none, or if another sweep has claimed the receipt since.
  static func end(_ receipt: ReceiptID, of sweep: SweepID, _ db: Database) throws -> Bool {
    try db.run("DELETE FROM leases WHERE receipt_id = ? AND sweep_id = ?", [receipt, sweep.rawValue])
    return db.changesCount > 0
  }
}
