import GRDB
import Subscriptions

/// Stored sightings of a chain's transactions.
///
/// A transaction that never changed, and was shown only by full answers, has just its own row. For any other,
/// `transaction_sightings` has every run. The last run of full answers has no end there, since that is the
/// transaction's `confirmed_at_ms`. The last run of partial answers has no end if it ends at the chain's last
/// partial validation.
struct StoredHistories {
  struct StoredRun: Sendable {
    var from: Instant
    /// `nil` if it is not stored.
    var through: Instant?
    var value: ObservedTerms
  }

  /// Runs of a chain, by row number.
  struct StoredRuns: Sendable {
    fileprivate(set) var full: [Int64: [StoredRun]] = [:]
    fileprivate(set) var partial: [Int64: [StoredRun]] = [:]

    var isEmpty: Bool { full.isEmpty && partial.isEmpty }
  }

  private typealias Runs = [Int64: [TransactionHistory.Run]]

  private let full: Runs
  private let partial: Runs
  private let log: ValidationLog

  /// - Parameter log: Validations of the chain, as stored.
  init(_ stored: StoredRuns, log: ValidationLog) {
    self.log = log
    full = Self.runs(stored.full, open: nil)
    partial = Self.runs(stored.partial, open: log.partial.last)
  }

  init(chain: ChainRecord, log: ValidationLog, _ db: Database) throws {
    self.init(try Self.fetch(ChainPage([chain]), db)[0], log: log)
  }

  private static func runs(_ stored: [Int64: [StoredRun]], open: Instant?) -> Runs {
    stored.mapValues { runs in
      runs.map { .init(from: $0.from, through: max($0.from, $0.through ?? open ?? $0.from), value: $0.value) }
    }
  }

  static func fetch(_ page: ChainPage, _ db: Database) throws -> [StoredRuns] {
    var runs = [StoredRuns](repeating: StoredRuns(), count: page.records.count)
    let isEmpty = try db.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM transaction_sightings)")
    if try Bool.fetchOne(isEmpty) ?? true { return runs }
    try page.forEach(
      """
      SELECT x.chain_id, h.transaction_id, h.is_partial, h.observed_at_ms, h.through_ms, h.expires_date_ms,
        h.cancellation_date_ms, h.cancellation_reason, h.is_upgraded, h.is_lagging
      FROM transaction_rows x CROSS JOIN transaction_sightings h ON h.transaction_id = x.id
      WHERE x.chain_id BETWEEN ? AND ? ORDER BY x.chain_id, x.id, h.is_partial, h.observed_at_ms
      """, db
    ) { place, row in
      let ends = PeriodEnds(
        expiresDate: row.appleDate(5), cancellationDate: row.appleDate(6), cancellationReason: row.text(7),
        isUpgraded: row[8] != 0)
      let run = StoredRun(
        from: row.instant(3) ?? .distantPast, through: row.instant(4),
        value: ObservedTerms(ends: ends, isLagging: row[9] != 0))
      if row[2] != 0 {
        runs[place].partial[row[1], default: []].append(run)
      } else {
        runs[place].full[row[1], default: []].append(run)
      }
    }
    return runs
  }

  func sightings(of stored: StoredTransaction) -> TransactionObservations {
    let partial = TransactionHistory(partial[stored.rowID] ?? [])
    return TransactionObservations(
      full: fullHistory(of: stored, isSeenInPart: !partial.runs.isEmpty), partial: partial)
  }

  private func fullHistory(of stored: StoredTransaction, isSeenInPart: Bool) -> TransactionHistory {
    let through = stored.confirmedAt ?? log.full.last ?? .distantPast
    guard var runs = full[stored.rowID], let newest = runs.popLast() else {
      if isSeenInPart { return TransactionHistory() }
      let shown = ObservedTerms(ends: stored.transaction.ends, isLagging: stored.isLagging)
      return TransactionHistory([
        .init(from: stored.sighting.first, through: max(stored.sighting.first, through), value: shown)
      ])
    }
    runs.append(.init(from: newest.from, through: max(newest.from, through), value: newest.value))
    return TransactionHistory(runs)
  }

  /// Updates the stored sightings, writing only differences.
  ///
  /// - Parameter log: Validations of the chain after the update.
  func write(_ new: TransactionObservations, of rowID: Int64, _ log: ValidationLog, _ db: Database) throws {
    let isAlone = new.partial.runs.isEmpty && new.full.runs.count <= 1
    try Self.write(
      Self.entries(full[rowID] ?? [], open: nil), isAlone ? [] : Self.entries(new.full.runs, open: nil),
      of: rowID, isPartial: false, db)
    guard !log.partial.isEmpty else { return }
    try Self.write(
      Self.entries(partial[rowID] ?? [], open: self.log.partial.last),
      Self.entries(new.partial.runs, open: log.partial.last), of: rowID, isPartial: true, db)
  }

  private static func write(
    _ old: [Entry], _ new: [Entry], of rowID: Int64, isPartial: Bool, _ db: Database
  ) throws {
    guard old != new else { return }
    let starts = Set(new.map(\.from))
    let removal = try db.cachedStatement(
      sql: """
        DELETE FROM transaction_sightings WHERE transaction_id = ? AND is_partial = ? AND observed_at_ms = ?
        """)
    for gone in old where !starts.contains(gone.from) {
      try removal.execute(arguments: [rowID, isPartial, gone.from])
    }
    let known = Set(old)
    let upsert = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO transaction_sightings (transaction_id, is_partial, observed_at_ms, through_ms,
          expires_date_ms, cancellation_date_ms, cancellation_reason, is_upgraded, is_lagging)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for entry in new where !known.contains(entry) {
      let ends = entry.shown.ends
      try upsert.execute(arguments: [
        rowID, isPartial, entry.from, entry.through, ends.expiresDate, ends.cancellationDate,
        ends.cancellationReason, ends.isUpgraded, entry.shown.isLagging,
      ])
    }
  }

  private struct Entry: Hashable {
    var from: Instant
    var through: Instant?
    var shown: ObservedTerms
  }

  /// - Parameter open: End that is not stored; `nil` to omit the end of the last run.
  private static func entries(_ runs: [TransactionHistory.Run], open: Instant?) -> [Entry] {
    var entries = runs.map { Entry(from: $0.from, through: $0.through, shown: $0.value) }
    if let last = runs.last, open == nil || last.through == open { entries[runs.count - 1].through = nil }
    return entries
  }
}
