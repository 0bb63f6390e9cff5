import GRDB
import Glibc
import Subscriptions

enum StoredSweep {
  private static let columns = """
    id, started_at_ms, last_seen_at_ms, finished_at_ms, lease_ms, selection, started_by, picked, validated, unchanged,
    changed, new_transactions, renewals, refunds, state_changes, rerouted, retried, retry_later, rejected, given_back,
    transport_errors, latency_p50_ms, latency_p95_ms, stopped, failure, not_before_ms, last_transport_error,
    host, boot_id, pid_namespace, pid, process_started
    """

  static func fetch(limit: Int, at now: Instant, _ db: Database) throws -> [SweepRecord] {
    try fetch("ORDER BY id DESC LIMIT ?", limit, at: now, db)
  }

  /// Returns the last finished sweep that claimed any receipt, or else the last finished sweep, so that an
  /// empty sweep does not hide the results of an earlier one.
  ///
  /// - Parameter end: Latest finish of the sweep; `nil` for no limit.
  static func last(at now: Instant, through end: Instant? = nil, _ db: Database) throws -> SweepRecord? {
    let isOver = end.map { "finished_at_ms <= \($0.rawValue)" } ?? "finished_at_ms IS NOT NULL"
    // Uses the index sweeps_last.
    return try fetch(
      "WHERE \(isOver) ORDER BY picked > 0 DESC, finished_at_ms DESC, id DESC LIMIT ?", 1, at: now, db
    ).first
  }

  private static func fetch(
    _ which: String, _ limit: Int, at now: Instant, _ db: Database
  ) throws -> [SweepRecord] {
    try db.rows("SELECT \(columns) FROM sweeps \(which)", [limit]) { row in
      var sweep = try record(row, at: now)
      sweep.statuses = try statuses(of: sweep.id, db)
      sweep.http = try http(of: sweep.id, db)
      sweep.stoppedApps = try stoppedApps(of: sweep.id, db)
      return sweep
    }
  }

  private static func record(_ row: BoundStatement.Columns, at now: Instant) throws -> SweepRecord {
    var sweep = try SweepRecord(
      id: SweepID(rawValue: row[0]), state: state(row, at: now), startedAtMs: row.date(1),
      selection: row.read(5), startedBy: row.read(6))
    (sweep.lastSeenAtMs, sweep.finishedAtMs) = (row.date(2), row.instant(3))
    (sweep.picked, sweep.validated, sweep.unchanged) = (row.count(7), row.count(8), row.count(9))
    (sweep.changed, sweep.newTransactions, sweep.renewals) = (row.count(10), row.count(11), row.count(12))
    (sweep.refunds, sweep.stateChanges, sweep.rerouted) = (row.count(13), row.count(14), row.count(15))
    (sweep.retried, sweep.retryLater, sweep.rejected) = (row.count(16), row.count(17), row.count(18))
    (sweep.givenBack, sweep.transportErrors) = (row.count(19), row.count(20))
    if let p50 = try row.read(21) as Double?, let p95 = try row.read(22) as Double? {
      sweep.latencyMs = LatencyQuantiles(p50: p50, p95: p95)
    }
    (sweep.stopped, sweep.failure, sweep.notBeforeMs) = try (row.read(23), row.read(24), row.read(25))
    sweep.lastTransportError = try row.read(26)
    return sweep
  }

  private static func state(_ row: BoundStatement.Columns, at now: Instant) throws -> SweepRecord.State {
    let (lastSeen, finished, lease): (Instant, Instant?, Int64) = try (row.read(2), row.read(3), row.read(4))
    guard finished == nil else { return row.text(23) == SweepRecord.killed ? .killed : .finished }
    if try KilledSweeps.process(row, from: 27).isGone { return .killed }
    let isHeardOf = now - lastSeen <= lease && lastSeen - now <= Milliseconds.minute
    return isHeardOf ? .running : .lost
  }

  private static func statuses(of sweep: SweepID, _ db: Database) throws -> [StatusTally] {
    try db.rows(
      """
      SELECT status, count, last_seen_at_ms, example_receipt_id FROM sweep_statuses WHERE sweep_id = ?
      ORDER BY status
      """, [sweep.rawValue]
    ) { row in
      try StatusTally(
        status: row.read(0), count: row.read(1), lastSeenAtMs: row.read(2), exampleReceipt: row.read(3))
    }
  }

  private static func http(of sweep: SweepID, _ db: Database) throws -> [Int: Int] {
    var http: [Int: Int] = [:]
    try db.forEach("SELECT http, count FROM sweep_http WHERE sweep_id = ?", [sweep.rawValue]) {
      http[$0.count(0)] = $0.count(1)
    }
    return http
  }

  /// Returns the stopped apps; omits an app if a later version wrote its reason, which is unknown here.
  private static func stoppedApps(of sweep: SweepID, _ db: Database) throws -> [StoppedApp] {
    try db.rows(
      """
      SELECT bundle_id, reason, key_id, clock_ahead_ms FROM sweep_stopped_apps WHERE sweep_id = ? ORDER BY rowid
      """, [sweep.rawValue]
    ) { row in
      try StoppedApp.Reason(rawValue: row.read(1)).map { reason in
        try StoppedApp(
          bundleID: row.read(0), reason: reason,
          refusedKey: row.text(2).map { try StoppedApp.RefusedKey(keyID: $0, clockAheadMs: row.read(3)) })
      }
    }
  }

  static func write(_ summary: SweepSummary, of sweep: SweepID, at now: Instant, _ db: Database) throws {
    let counts = summary.counts
    let values: [(any DatabaseValueConvertible)?] = [
      now, counts.picked, counts.validated, counts.unchanged, counts.changed, counts.news.newTransactions,
      counts.news.renewals, counts.news.refunds, counts.news.stateChanges, counts.rerouted, counts.retried,
      counts.retryLater, counts.rejected, counts.givenBack, counts.transportErrors, summary.latency?.p50,
      summary.latency?.p95, summary.stopped?.rawValue, summary.notBeforeMs,
      summary.lastTransportError, sweep.rawValue,
    ]
    try db.run(
      """
      UPDATE sweeps SET last_seen_at_ms = ?, picked = ?, validated = ?, unchanged = ?, changed = ?,
        new_transactions = ?, renewals = ?, refunds = ?, state_changes = ?, rerouted = ?, retried = ?, retry_later = ?,
        rejected = ?, given_back = ?, transport_errors = ?, latency_p50_ms = ?, latency_p95_ms = ?, stopped = ?,
        not_before_ms = ?, last_transport_error = ?
      WHERE id = ?
      """, StatementArguments(values))
    try writeStatuses(summary, of: sweep, db)
    try writeStoppedApps(summary, of: sweep, db)
  }

  private static func writeStatuses(_ summary: SweepSummary, of sweep: SweepID, _ db: Database) throws {
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
    let http = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO sweep_http (sweep_id, http, count) VALUES (?, ?, ?)")
    for (status, count) in summary.counts.http {
      try http.execute(arguments: [sweep.rawValue, status, count])
    }
  }

  private static func writeStoppedApps(_ summary: SweepSummary, of sweep: SweepID, _ db: Database) throws {
    try db.run("DELETE FROM sweep_stopped_apps WHERE sweep_id = ?", [sweep.rawValue])
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO sweep_stopped_apps (sweep_id, bundle_id, reason, key_id, clock_ahead_ms) VALUES (?, ?, ?, ?, ?)
        """)
    for app in summary.stoppedApps {
      try insert.execute(arguments: [
        sweep.rawValue, app.bundleID, app.reason.rawValue, app.refusedKey?.keyID,
        app.refusedKey?.clockAheadMs,
      ])
    }
  }
}

/// Sweeps whose process was killed, which makes their leases void at once.
enum KilledSweeps {
  /// Returns the sweeps that are known to be killed; leases of other sweeps expire by time.
  static func fetch(_ db: Database) throws -> [SweepID] {
    try db.rows(
      """
      SELECT id, host, boot_id, pid_namespace, pid, process_started FROM sweeps WHERE finished_at_ms IS NULL
      """
    ) { try process($0, from: 1).isGone ? SweepID(rawValue: $0.read(0)) : nil }
  }

  static func process(_ row: BoundStatement.Columns, from column: CInt) throws -> SweepProcess {
    try SweepProcess(
      host: row.read(column), bootID: row.read(column + 1), pidNamespace: row.read(column + 2),
      pid: row.read(column + 3), started: UInt64(bitPattern: row[column + 4]))
  }

  static func takeOver(_ db: Database) throws {
    for sweep in try fetch(db) {
      try db.run("DELETE FROM leases WHERE sweep_id = ?", [sweep.rawValue])
      try db.run(
        "UPDATE sweeps SET finished_at_ms = last_seen_at_ms, stopped = ? WHERE id = ?",
        [SweepRecord.killed, sweep.rawValue])
    }
  }
}

/// Identity of a sweep's process, to determine whether it is still running (proc(5)).
public struct SweepProcess: Hashable, Sendable {
  public var host: String
  /// Id that changes with each start of the machine.
  public var bootID: String
  /// Namespace of the process id; each container has its own.
  public var pidNamespace: String
  public var pid: Int32
  /// Start of the process in clock ticks since the machine's start, because process ids are used again.
  public var started: UInt64

  /// This process; a text that the machine does not report is empty, and `isGone` does not rely on it.
  public static let current = SweepProcess(
    host: hostName, bootID: line("/proc/sys/kernel/random/boot_id"), pidNamespace: link("/proc/self/ns/pid"),
    pid: getpid(), started: stat(of: getpid())?.started ?? 0)

  /// Whether the process is known to have ended; on other machines and in other containers, it is unknown.
  public var isGone: Bool {
    let here = Self.current
    guard !host.isEmpty, host == here.host, !bootID.isEmpty, !here.bootID.isEmpty else { return false }
    guard bootID == here.bootID else { return true }
    guard !pidNamespace.isEmpty, pidNamespace == here.pidNamespace, pid > 0 else { return false }
    // EPERM means that another user's process exists.
    guard kill(pid, 0) == 0 || errno == EPERM else { return true }
    // If /proc hides the process of another user, assume that the same process id is the same process.
    return Self.stat(of: pid).map { $0.started != started || $0.isDead } ?? false
  }

  /// Returns the start of a process and whether it has ended; `nil` if they cannot be read.
  private static func stat(of pid: Int32) -> (started: UInt64, isDead: Bool)? {
    let text = line("/proc/\(pid)/stat")
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst()
    guard fields.count >= 20, let state = fields.first,
      let started = UInt64(fields[fields.startIndex + 19])
    else { return nil }
    // A zombie has ended.
    return (started, state == "Z" || state == "X")
  }

  private static var hostName: String { text { gethostname($0, $1) == 0 ? $1 : 0 } }

  private static func link(_ path: String) -> String { text { readlink(path, $0, $1) } }

  private static func line(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return String(text { read(descriptor, $0, $1) }.prefix { $0 != "\n" })
  }

  /// - Parameter fill: Writes into a buffer of the given size. Returns the number of bytes.
  private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String {
    var bytes = [CChar](repeating: 0, count: 1024)
    let count = fill(&bytes, bytes.count - 1)
    return String(
      decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
