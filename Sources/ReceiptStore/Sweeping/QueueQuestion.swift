import GRDB
import Subscriptions

/// What waits to be asked about.
struct QueueQuestion {
  let db: Database
  let policy: DuePolicy
  let now: Instant

  func report() throws -> QueueReport {
    var report = QueueReport(asOfMs: now)
    try addDue(to: &report)
    try addComing(to: &report)
    try addFailures(to: &report)
    report.leased =
      try rows("SELECT count(*) FROM leases e WHERE \(SelectedReceipts.isHeld(KilledSweeps.fetch(db)))")
      .first?[0]
      ?? 0
    report.policy = try costs()
    report.freshness = try freshness()
    report.detectionLag = try detectionLag()
    report.statuses = try statuses()
    report.sweeps = try StoredSweep.fetch(limit: 10, at: now, db)
    if let last = try StoredSweep.last(at: now, db), !report.sweeps.contains(where: { $0.id == last.id }) {
      report.sweeps.append(last)
    }
    return report
  }

  /// Values by name; a query takes those that it names.
  func rows(
    _ sql: String, _ more: [String: (any DatabaseValueConvertible)?] = [:]
  ) throws -> [FetchedRow] {
    var values: [String: (any DatabaseValueConvertible)?] = ["now": now]
    values.merge(more) { $1 }
    return try FetchedRow.fetchAll(db, sql: sql, arguments: StatementArguments(values))
  }

  /// A try that failed without a status leaves the last one standing, so that an answer with data is as old as the
  /// validation that it was.
  private func statuses() throws -> [StatusTally] {
    var tallies: [Int64: StatusTally] = [:]
    var receipts = try BoundStatement(
      """
      SELECT last_status, iif(last_status IN (0, 21006), ifnull(last_validated_at_ms, last_checked_at_ms),
        last_checked_at_ms), id FROM receipts WHERE last_status IS NOT NULL AND last_checked_at_ms IS NOT NULL
      """, db)
    // Added up here: to group them, SQLite would first sort them all in memory.
    try receipts.forEach { row in
      let at = row.date(1)
      var tally =
        tallies[row[0]]
        ?? StatusTally(
          status: row.count(0), count: 0, lastSeenAtMs: at, exampleReceipt: ReceiptID(rawValue: row[2]))
      tally.count += 1
      tally.lastSeenAtMs = max(tally.lastSeenAtMs, at)
      if row[2] < tally.exampleReceipt.rawValue { tally.exampleReceipt = ReceiptID(rawValue: row[2]) }
      tallies[row[0]] = tally
    }
    return tallies.values.sorted { $0.status < $1.status }
  }

  private func addDue(to report: inout QueueReport) throws {
    let bounds = QueueReport.AgeBucket.bounds
    for (index, from) in bounds.enumerated() {
      let until = index + 1 < bounds.count ? "AND next_due_at_ms > :now - \(bounds[index + 1])" : ""
      let count: Int =
        try rows("SELECT count(*) FROM receipts WHERE next_due_at_ms <= :now - \(from) \(until)").first?[0]
        ?? 0
      report.overdueByAge.append(.init(fromMs: from, count: count))
      report.due += count
    }
  }

  private func addComing(to report: inout QueueReport) throws {
    report.next24h = Array(repeating: 0, count: 24)
    var coming = try BoundStatement(
      """
      SELECT (next_due_at_ms - ?1 - 1) / \(Milliseconds.hour) FROM receipts
      WHERE next_due_at_ms > ?1 AND next_due_at_ms <= ?1 + \(Milliseconds.day)
      """, db)
    coming.bind(now)
    try coming.forEach { report.next24h[Int($0[0])] += 1 }
    report.later =
      try rows("SELECT count(*) FROM receipts WHERE next_due_at_ms > :now + \(Milliseconds.day)").first?[0]
      ?? 0
  }

  private func addFailures(to report: inout QueueReport) throws {
    if let row = try rows(
      """
      SELECT count(*), min(next_due_at_ms) FROM receipts
      WHERE failing_since_ms IS NOT NULL AND next_due_at_ms IS NOT NULL
      """
    ).first {
      (report.retrying, report.nextRetryAtMs) = try (row[0], row[1])
    }
    report.dead = try rows(
      """
      SELECT dead_reason, count(*) AS receipts, min(id) FROM receipts WHERE dead_reason IS NOT NULL
      GROUP BY dead_reason ORDER BY receipts DESC, dead_reason
      """
    ).map(Self.reason)
    try addReasons(to: &report)
  }
}

extension QueueQuestion {
  /// Why receipts wait for a later try; those whose answers are too long apart, since they wait for long.
  private func addReasons(to report: inout QueueReport) throws {
    var reasons: [Bool: [String: QueueReport.DeadReason]] = [:]
    var receipts = try BoundStatement(
      """
      SELECT last_failure, id, due_rule IS '\(DuePolicy.Rule.tooLong.rawValue)' FROM receipts
      WHERE failing_since_ms IS NOT NULL AND next_due_at_ms IS NOT NULL AND last_failure IS NOT NULL
      """, db)
    // Added up here, as the statuses are.
    try receipts.forEach { row in
      guard let reason = row.text(0) else { return }
      let id = ReceiptID(rawValue: row[1])
      var tally =
        reasons[row[2] != 0]?[reason] ?? QueueReport.DeadReason(reason: reason, count: 0, exampleReceipt: id)
      tally.count += 1
      if id.rawValue < tally.exampleReceipt.rawValue { tally.exampleReceipt = id }
      reasons[row[2] != 0, default: [:]][reason] = tally
    }
    func sorted(_ isTooLong: Bool) -> [QueueReport.DeadReason] {
      (reasons[isTooLong] ?? [:]).values.sorted {
        $0.count == $1.count ? $0.reason < $1.reason : $0.count > $1.count
      }
    }
    (report.setAside, report.failures) = (sorted(true), sorted(false))
  }

  fileprivate static func reason(_ row: FetchedRow) throws -> QueueReport.DeadReason {
    try QueueReport.DeadReason(reason: row[0], count: row[1], exampleReceipt: row[2])
  }
}

extension ReceiptStore {
  /// What waits to be asked about, and what the due policy costs. It judges every line, so it is for now and then.
  public func queue(at now: Instant) throws(StoreError) -> QueueReport {
    try read("read the queue of") { try QueueQuestion(db: $0, policy: policy, now: now).report() }
  }
}
