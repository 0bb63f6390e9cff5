import GRDB
import Subscriptions

extension ReceiptStore {
  /// Returns the state of the store.
  ///
  /// - Parameters:
  ///   - past: Instant of the reported counts, as known then. Values without a history are marked as
  ///     current.
  ///   - check: Whether to also check the whole file (`wholeness`), which derives every chain again.
  ///   - withQueue: Whether to add the queue of due receipts, which reads every line.
  public func status(
    at now: Instant, asOf past: Instant? = nil, check: Bool = false, withQueue: Bool = false
  ) throws(StoreError) -> StoreStatus {
    try read("read the status of") { db in
      var status = StoreStatus()
      let count = { (sql: String) in try Int.fetchOne(db, sql: sql, arguments: [now]) ?? 0 }
      status.asOfMs = past ?? now
      status.receipts = try Int.fetchOne(db, sql: "SELECT receipts FROM ledger_state") ?? 0
      status.lines = try Int.fetchOne(db, sql: "SELECT count(*) FROM lines") ?? 0
      status.transactions = try Int.fetchOne(db, sql: "SELECT transactions FROM ledger_state") ?? 0
      status.firstPurchaseMs = try Self.firstPurchase(db)
      status.dueNow = try count("SELECT count(*) FROM receipts WHERE next_due_at_ms <= ?")
      status.dead =
        try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts WHERE dead_reason IS NOT NULL") ?? 0
      let question = Question(panel: .active, at: now, windowDays: 1, environment: .all)
      let ledger = try ledger(.empty, db)
      status.prices = StoreStatus.Prices(try ledger.facts(.bought, after: nil, through: now))
      status.lastSweep = try StoredSweep.last(at: now, through: past, db)
        .flatMap(StoreStatus.LastSweep.init(_:))
      if let past {
        try describe(&status, asOf: past, db)
      } else {
        let trust = try ledger.trust(question)
        (status.overdueLines, status.fresh24h) = (trust.overdue, trust.fresh24h)
      }
      if let shared = SharedNeeds.current?.numbers {
        (status.lines, status.dueNow, status.dead) = (shared.lines, shared.due, shared.dead)
      }
      status.rates = try Self.ratesStatus(db)
      status.inbox = try Self.inboxCount(db)
      status.schemaVersion = String(Schema.version)
      status.integrity = check ? try Self.wholeness(db) : nil
      status.queue = withQueue ? try QueueQuestion(db: db, policy: policy, now: now).report() : nil
      return status
    }
  }

  private func describe(_ status: inout StoreStatus, asOf past: Instant, _ db: Database) throws {
    var question = Question(panel: .active, at: past, windowDays: 1, environment: .all)
    question.asKnownThen = true
    let trust = try trust(question, db)
    (status.overdueLines, status.fresh24h) = (trust.overdue, trust.fresh24h)
    status.lines = trust.lines + trust.excludedFamilyShared
    status.transactions =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM transactions WHERE first_observed_at_ms <= ? AND duplicate_of IS NULL",
        arguments: [past]) ?? 0
    status.markWhatIsOfNow()
  }

  /// Returns the earliest purchase date of all lines, or `nil` if there are no lines.
  public func firstPurchase() throws(StoreError) -> Instant? {
    try read("find the first purchase in", Self.firstPurchase)
  }

  static func firstPurchase(_ db: Database) throws -> Instant? {
    if let shared = SharedNeeds.current { return shared.numbers.firstPurchase }
    return try Instant.fetchOne(
      db, sql: "SELECT min(purchase_date_ms) FROM transaction_rows WHERE line_id IS NOT NULL")
  }

  /// Runs SQLite's `quick_check`, which checks every page but does not compare indexes with their tables.
  ///
  /// - Returns: `ok`, or the first error.
  public func quickCheck() throws(StoreError) -> String {
    try read("check") { db in try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "ok" }
  }

  /// Finding of `wholeness` that a rebuild fixes.
  public static let disagreement =
    "the store's figures do not agree with its rows; run `subtop status --rebuild`"

  /// Returns the result of `integrity`, or `disagreement` if that is `ok` but a rebuild would change a row.
  static func wholeness(_ db: Database) throws -> String {
    let found = try integrity(db)
    return try found != "ok" || LedgerCheck.agrees(db) ? found : disagreement
  }

  static func integrity(_ db: Database) throws -> String {
    let messages = try String.fetchAll(db, sql: "PRAGMA integrity_check")
    guard messages == ["ok"] else {
      // SQLite stops after a hundred findings and prints the database's name before them.
      let findings = messages.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }
      let first = findings.first.map(String.init) ?? "SQLite does not say what is wrong"
      return findings.count > 1 ? "\(first); at least \(findings.count) findings" : first
    }
    let broken = try GRDB.Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count + Schema.countDangling(db)
    return broken == 0
      ? "ok" : "\(broken) rows refer to missing rows, or contain impossible values"
  }

  /// Returns the documented views with their columns, read from an empty store in memory.
  package static func documentedViews() throws -> [DocumentedView] {
    try DatabaseQueue().write { db in
      try Schema.makeTables(in: db)
      return try Schema.documentedViews.map { name, meaning in
        DocumentedView(name: name, meaning: meaning, columns: try db.columns(in: name).map(\.name))
      }
    }
  }
}

/// View for other programs that open the store's file.
package struct DocumentedView: Sendable {
  package let name: String
  package let meaning: String
  package let columns: [String]
}
