import GRDB
import Subscriptions

/// What validations showed of a chain's transactions, as it stands in the tables.
///
/// A transaction that full answers alone showed, and that never changed, is in its own row alone. Of any other, every run of
/// full answers is in `transaction_changes`, the last one without its end, which is the transaction's `confirmed_at_ms`; and
/// every run of partial ones in `partial_sightings`, without its end where that is the chain's last partial validation.
struct StoredHistories {
  /// A run as it stands in a table.
  struct StoredRun: Sendable {
    var from: Instant
    /// Nil where it is not written down.
    var through: Instant?
    var value: ShownEnds
  }

  typealias StoredRuns = [Int64: [StoredRun]]
  private typealias Runs = [Int64: [TransactionHistory.Run]]

  private let full: Runs
  private let partial: Runs
  private let log: ValidationLog

  /// - Parameters:
  ///   - full: the runs of full answers, by row.
  ///   - partial: the same of partial ones.
  ///   - log: the chain's, as it is in the store.
  init(full: StoredRuns, partial: StoredRuns, log: ValidationLog) {
    self.log = log
    self.full = Self.runs(full, open: nil)
    self.partial = Self.runs(partial, open: log.partial.last)
  }

  init(chain: ChainRecord, log: ValidationLog, _ db: Database) throws {
    let page = ChainPage([chain])
    self.init(full: try Self.full(page, db)[0], partial: try Self.partial(page, db)[0], log: log)
  }

  private static func runs(_ stored: StoredRuns, open: Instant?) -> Runs {
    stored.mapValues { runs in
      runs.map { .init(from: $0.from, through: max($0.from, $0.through ?? open ?? $0.from), value: $0.value) }
    }
  }

  /// The runs of full answers, of each chain.
  static func full(_ page: ChainPage, _ db: Database) throws -> [StoredRuns] {
    try fetch("transaction_changes", page, db)
  }

  /// The same of partial ones.
  static func partial(_ page: ChainPage, _ db: Database) throws -> [StoredRuns] {
    try fetch("partial_sightings", page, db)
  }

  private static func fetch(_ table: String, _ page: ChainPage, _ db: Database) throws -> [StoredRuns] {
    var runs = [StoredRuns](repeating: [:], count: page.records.count)
    let isEmpty = try db.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM \(table))")
    if try Bool.fetchOne(isEmpty) ?? true { return runs }
    try page.forEach(
      """
      SELECT x.chain_id, h.transaction_id, h.observed_at_ms, h.through_ms, h.expires_date_ms, h.cancellation_date_ms,
        h.cancellation_reason, h.is_upgraded, h.is_lagging
      FROM transaction_rows x CROSS JOIN \(table) h ON h.transaction_id = x.id WHERE x.chain_id BETWEEN ? AND ?
      ORDER BY x.chain_id, x.id, h.observed_at_ms
      """, db
    ) { place, row in
      let ends = PeriodEnds(
        expiresDate: row.instant(4), cancellationDate: row.instant(5), cancellationReason: row.text(6),
        isUpgraded: row[7] != 0)
      runs[place][row[1], default: []].append(
        StoredRun(
          from: row.instant(2) ?? .distantPast, through: row.instant(3),
          value: ShownEnds(ends: ends, isLagging: row[8] != 0)))
    }
    return runs
  }

  func sightings(of stored: StoredTransaction) -> Sightings {
    let partial = TransactionHistory(partial[stored.rowID] ?? [])
    return Sightings(full: fullHistory(of: stored, isSeenInPart: !partial.runs.isEmpty), partial: partial)
  }

  private func fullHistory(of stored: StoredTransaction, isSeenInPart: Bool) -> TransactionHistory {
    let through = stored.confirmedAt ?? log.full.last ?? .distantPast
    guard var runs = full[stored.rowID], let newest = runs.popLast() else {
      if isSeenInPart { return TransactionHistory() }
      let shown = ShownEnds(ends: stored.transaction.ends, isLagging: stored.isLagging)
      return TransactionHistory([
        .init(from: stored.sighting.first, through: max(stored.sighting.first, through), value: shown)
      ])
    }
    runs.append(.init(from: newest.from, through: max(newest.from, through), value: newest.value))
    return TransactionHistory(runs)
  }

  /// Makes the tables say what was seen, and writes only what differs.
  ///
  /// - Parameter log: the chain's, as it will be.
  func write(_ new: Sightings, of rowID: Int64, _ log: ValidationLog, _ db: Database) throws {
    let isAlone = new.partial.runs.isEmpty && new.full.runs.count <= 1
    try Self.write(
      Self.entries(full[rowID] ?? [], open: nil), isAlone ? [] : Self.entries(new.full.runs, open: nil),
      to: "transaction_changes", of: rowID, db)
    guard !log.partial.isEmpty else { return }
    try Self.write(
      Self.entries(partial[rowID] ?? [], open: self.log.partial.last),
      Self.entries(new.partial.runs, open: log.partial.last), to: "partial_sightings", of: rowID, db)
  }

  private static func write(
    _ old: [Entry], _ new: [Entry], to table: String, of rowID: Int64, _ db: Database
  ) throws {
    guard old != new else { return }
    let starts = Set(new.map(\.from))
    for gone in old where !starts.contains(gone.from) {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE transaction_id = ? AND observed_at_ms = ?")
        .execute(arguments: [rowID, gone.from])
    }
    let known = Set(old)
    let upsert = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO \(table) (transaction_id, observed_at_ms, through_ms, expires_date_ms,
          cancellation_date_ms, cancellation_reason, is_upgraded, is_lagging) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for entry in new where !known.contains(entry) {
      let ends = entry.shown.ends
      try upsert.execute(arguments: [
        rowID, entry.from, entry.through, ends.expiresDate, ends.cancellationDate, ends.cancellationReason,
        ends.isUpgraded, entry.shown.isLagging,
      ])
    }
  }

  private struct Entry: Hashable {
    var from: Instant
    var through: Instant?
    var shown: ShownEnds
  }

  /// - Parameter open: the end that is not written down; nil for the last run's, whatever it is.
  private static func entries(_ runs: [TransactionHistory.Run], open: Instant?) -> [Entry] {
    runs.enumerated().map { index, run in
      let isOpen = index + 1 == runs.count && (open == nil || run.through == open)
      return Entry(from: run.from, through: isOpen ? nil : run.through, shown: run.value)
    }
  }
}
