import GRDB
import Subscriptions

extension ReceiptStore {
  /// Returns the number of receipts of a selection that can be claimed, and the number that sweeps hold.
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

  /// Leases up to `limit` free receipts, longest due first. Selections other than `.due` are ordered by id.
  ///
  /// - Parameters:
  ///   - started: Start of the sweep. `.all` excludes receipts that were checked since then, and `.due`
  ///     excludes receipts that became due since then.
  ///   - bytes: Size of contents after which no further receipt is read. Unread receipts are released.
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
      taken += try FetchedRow.fetchAll(
        db,
        """
        SELECT q.id, q.next_due_at_ms FROM receipts q WHERE \(part.condition) ORDER BY \(part.order) LIMIT :limit
        """, StatementArguments(arguments)
      ).map { row in
        try ClaimCursor(due: part.isByDueDate ? row[1] : nil, id: row[0])
      }
    }
    return taken
  }

  /// Reads the contents of claimed receipts. They are read outside the claim's transaction, because they are
  /// large and other writers would wait.
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
        guard let row = try FetchedRow.fetchOne(db, receipt, [id]) else { continue }
        let chains = try OriginalTransactionID.fetchSet(chains, arguments: [id])
        var history = FailureHistory()
        (history.failures, history.since, history.lastReason) = try (row[3], row[4], row[5])
        (history.sameSince, history.wasValidated) = try (row[6], (row[1] as String?) != nil)
        due.append(
          try DueReceipt(
            id: id, data: row.longText(0).map(ReceiptData.init(trusted:)),
            customer: row[9] ?? chains.map { CustomerID($0.rawValue) }.filter(\.isCredible).min(),
            revision: row[10], latest: row.longText(8).map(ReceiptData.init(trusted:)),
            environment: (row[1] as String?).map(StoreEnvironment.init), bundleID: row[2], history: history,
            lastFullAnswer: row[7], originalTransactionIDs: chains))
        read += due[due.count - 1].size
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
}

enum Lease {
  /// - Returns: Whether the sweep held the receipt. An expired lease counts, unless another sweep has claimed
  ///   the receipt since.
  static func end(_ receipt: ReceiptID, of sweep: SweepID, _ db: Database) throws -> Bool {
    try db.run("DELETE FROM leases WHERE receipt_id = ? AND sweep_id = ?", [receipt, sweep.rawValue])
    return db.changesCount > 0
  }
}
