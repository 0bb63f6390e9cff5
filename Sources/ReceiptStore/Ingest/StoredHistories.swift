import GRDB
import Subscriptions

/// The histories of a chain's transactions as they stand in the tables: one that never changed is in its transaction's row
/// alone; of any other, every run is in `transaction_changes`, the last one without its end, which is the transaction's
/// `confirmed_at_ms`.
struct StoredHistories {
  private let runs: [Int64: [TransactionHistory.Run]]
  private let last: Instant

  /// - Parameter validations: the chain's, as they are in the store.
  init(chain: ChainRecord, validations: ValidationLog.Instants, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT h.transaction_id, h.observed_at_ms, h.through_ms, h.expires_date_ms, h.cancellation_date_ms,
          h.cancellation_reason, h.is_upgraded, h.is_lagging
        FROM transactions x JOIN transaction_changes h ON h.transaction_id = x.id WHERE x.chain_id = ?
        ORDER BY h.transaction_id, h.observed_at_ms
        """)
    var runs: [Int64: [TransactionHistory.Run]] = [:]
    for row in try FetchedRow.fetchAll(statement, arguments: [chain.id]) {
      let ends = PeriodEnds(
        expiresDate: row[3], cancellationDate: row[4], cancellationReason: row[5], isUpgraded: row[6])
      runs[row[0], default: []].append(
        TransactionHistory.Run(
          from: row[1], through: row[2] ?? row[1], value: ShownEnds(ends: ends, isLagging: row[7])))
    }
    self.runs = runs
    last = validations.last ?? .distantPast
  }

  /// Whether its ends were ever shown otherwise than they are.
  func hasChanged(_ stored: StoredTransaction) -> Bool { runs[stored.rowID] != nil }

  func history(of stored: StoredTransaction) -> TransactionHistory {
    let through = stored.confirmedAt ?? last
    guard var runs = runs[stored.rowID], let newest = runs.popLast() else {
      let shown = ShownEnds(ends: stored.transaction.ends, isLagging: stored.isLagging)
      return TransactionHistory([.init(from: stored.sighting.first, through: through, value: shown)])
    }
    runs.append(.init(from: newest.from, through: max(newest.from, through), value: newest.value))
    return TransactionHistory(runs)
  }

  /// Makes the table say what a history says, and writes only what differs.
  func write(_ new: TransactionHistory, of stored: StoredTransaction, _ db: Database) throws {
    let old = runs[stored.rowID].map(Self.entries) ?? []
    let entries = new.runs.count > 1 ? Self.entries(new.runs) : []
    guard old != entries else { return }
    let starts = Set(entries.map(\.from))
    for gone in old where !starts.contains(gone.from) {
      try db.cachedStatement(
        sql: "DELETE FROM transaction_changes WHERE transaction_id = ? AND observed_at_ms = ?"
      ).execute(arguments: [stored.rowID, gone.from])
    }
    let known = Set(old)
    let upsert = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO transaction_changes (transaction_id, observed_at_ms, through_ms, expires_date_ms,
          cancellation_date_ms, cancellation_reason, is_upgraded, is_lagging) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for entry in entries where !known.contains(entry) {
      let ends = entry.shown.ends
      try upsert.execute(arguments: [
        stored.rowID, entry.from, entry.through, ends.expiresDate, ends.cancellationDate,
        ends.cancellationReason, ends.isUpgraded, entry.shown.isLagging,
      ])
    }
  }

  private struct Entry: Hashable {
    var from: Instant
    var through: Instant?
    var shown: ShownEnds
  }

  private static func entries(_ runs: [TransactionHistory.Run]) -> [Entry] {
    runs.enumerated().map { index, run in
      Entry(from: run.from, through: index + 1 < runs.count ? run.through : nil, shown: run.value)
    }
  }
}
