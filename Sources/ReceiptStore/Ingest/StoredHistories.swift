import GRDB
import Subscriptions

/// What validations showed of a chain's transactions, as it stands in the tables.
///
/// A transaction that full answers alone showed, and that never changed, is in its own row alone. Of any other, every run of
/// full answers is in `transaction_changes`, the last one without its end, which is the transaction's `confirmed_at_ms`; and
/// every run of partial ones in `partial_sightings`, without its end where that is the chain's last partial validation.
struct StoredHistories {
  private typealias Runs = [Int64: [TransactionHistory.Run]]

  private let full: Runs
  private let partial: Runs
  private let log: ValidationLog

  /// - Parameter log: the chain's, as it is in the store.
  init(chain: ChainRecord, log: ValidationLog, _ db: Database) throws {
    self.log = log
    full = try Self.fetch("transaction_changes", chain: chain, open: nil, db)
    // Without a partial validation there is nothing.
    partial =
      log.partial.isEmpty
      ? [:] : try Self.fetch("partial_sightings", chain: chain, open: log.partial.last, db)
  }

  private static func fetch(
    _ table: String, chain: ChainRecord, open: Instant?, _ db: Database
  ) throws -> Runs {
    let statement = try db.cachedStatement(
      sql: """
        SELECT h.transaction_id, h.observed_at_ms, h.through_ms, h.expires_date_ms, h.cancellation_date_ms,
          h.cancellation_reason, h.is_upgraded, h.is_lagging
        FROM transaction_rows x JOIN \(table) h ON h.transaction_id = x.id WHERE x.chain_id = ?
        ORDER BY h.transaction_id, h.observed_at_ms
        """)
    var runs: Runs = [:]
    for row in try FetchedRow.fetchAll(statement, arguments: [chain.id]) {
      let ends = PeriodEnds(
        expiresDate: row[3], cancellationDate: row[4], cancellationReason: row[5], isUpgraded: row[6])
      let from: Instant = row[1]
      runs[row[0], default: []].append(
        TransactionHistory.Run(
          from: from, through: max(from, row[2] ?? open ?? from),
          value: ShownEnds(ends: ends, isLagging: row[7])))
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
