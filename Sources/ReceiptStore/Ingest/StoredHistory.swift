import GRDB
import Subscriptions

/// Interval of consecutive validations in which a transaction showed the same values.
struct StoredRun: StoredRow, Hashable {
  var transaction: Int64 = 0
  var isPartial = false
  var from = Instant.distantPast
  /// Instant of the last validation in the interval; `nil` if it is not stored here (see `StoredHistories`).
  var through: Instant?
  var shown = ObservedTerms(
    ends: PeriodEnds(expiresDate: nil, cancellationDate: nil, cancellationReason: nil, isUpgraded: false),
    isLagging: false)

  static let sql = RowSQL(Self(), "transaction_sightings", keys: 3)

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("transaction_id", &transaction)
    columns.map("is_partial", &isPartial)
    columns.map("observed_at_ms", &from)
    columns.map("through_ms", &through)
    columns.map(date: "expires_date_ms", &shown.ends.expiresDate)
    columns.map(date: "cancellation_date_ms", &shown.ends.cancellationDate)
    columns.map("cancellation_reason", &shown.ends.cancellationReason)
    columns.map("is_upgraded", &shown.ends.isUpgraded)
    columns.map("is_lagging", &shown.isLagging)
  }

  static func fetch(_ page: ChainPage, _ db: Database) throws -> [[StoredRun]] {
    let isEmpty = try db.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM transaction_sightings)")
    if try Bool.fetchOne(isEmpty) ?? true { return page.records.map { _ in [] } }
    return try page.rows(
      """
      SELECT x.chain_id, \(sql.columns.map { "h." + $0 }.joined(separator: ", "))
      FROM transaction_rows x CROSS JOIN transaction_sightings h ON h.transaction_id = x.id
      WHERE x.chain_id BETWEEN ? AND ? ORDER BY x.chain_id, x.id, h.is_partial, h.observed_at_ms
      """, db
    ) { StoredRun($1, from: 1) }
  }
}

/// Stored observations of a chain's transactions over time.
///
/// A transaction that never changed, and was shown only by full answers, needs just its own row. For other
/// transactions, `transaction_sightings` has every `StoredRun`. The last run of full answers has no stored
/// end, because it ends at the transaction's `confirmed_at_ms`. The last run of partial answers has no stored
/// end if it ends at the chain's last partial validation.
struct StoredHistories {
  private let stored: [Int64: [StoredRun]]
  private let log: ValidationLog

  init(_ runs: [StoredRun], log: ValidationLog) {
    (stored, self.log) = (Dictionary(grouping: runs, by: \.transaction), log)
  }

  func sightings(of row: StoredTransaction) -> TransactionObservations {
    func history(isPartial: Bool, open: Instant?) -> TransactionHistory {
      let runs = (stored[row.rowID] ?? []).filter { $0.isPartial == isPartial }
      return TransactionHistory(
        runs.map {
          .init(from: $0.from, through: max($0.from, $0.through ?? open ?? $0.from), value: $0.shown)
        })
    }
    let through = row.confirmedAt ?? log.full.last ?? .distantPast
    let partial = history(isPartial: true, open: log.partial.last)
    var full = history(isPartial: false, open: through)
    if full.runs.isEmpty, partial.runs.isEmpty {
      let shown = ObservedTerms(ends: row.transaction.ends, isLagging: row.isLagging)
      full = TransactionHistory([
        .init(from: row.sighting.first, through: max(row.sighting.first, through), value: shown)
      ])
    }
    return TransactionObservations(full: full, partial: partial)
  }

  func write(_ new: TransactionObservations, of rowID: Int64, _ log: ValidationLog, _ db: Database) throws {
    let isAlone = new.partial.runs.isEmpty && new.full.runs.count <= 1
    var rows: [StoredRun] = []
    for (history, isPartial) in [(new.full, false), (new.partial, true)] where !isAlone {
      for run in history.runs {
        let isOpen = run == history.runs.last && (!isPartial || run.through == log.partial.last)
        rows.append(
          StoredRun(
            transaction: rowID, isPartial: isPartial, from: run.from, through: isOpen ? nil : run.through,
            shown: run.value))
      }
    }
    try StoredRun.write(rows, replacing: stored[rowID] ?? [], db)
  }
}
