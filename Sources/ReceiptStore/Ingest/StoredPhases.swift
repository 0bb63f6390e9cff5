import GRDB
import Subscriptions

/// The phases of one line as they stand in the table.
struct StoredPhases {
  let lineID: Int64
  let db: Database

  private struct Record: Hashable {
    var from: Instant
    var until: Instant
    var current: Int64
    var isLive: Bool
    var revoking: Int64?
    var renewal: Int64?
  }

  /// - Parameter isNew: the line has none yet.
  func write(
    _ line: DerivedChain.DerivedLine, rowIDs: [TransactionID: Int64], renewals: [StoredRenewal], isNew: Bool
  ) throws {
    let new = records(line, rowIDs: rowIDs, renewals: renewals)
    let old = isNew ? [] : try fetch()
    let starts = Set(new.map(\.from))
    for gone in old where !starts.contains(gone.from) {
      try db.cachedStatement(sql: "DELETE FROM phases WHERE line_id = ? AND from_ms = ?")
        .execute(arguments: [lineID, gone.from])
    }
    guard isNew || Set(new) != old else { return }
    var statement = try BoundStatement(isNew ? Self.insertion : Self.replacement, db)
    for record in new where !old.contains(record) { try write(record, &statement) }
  }

  private func fetch() throws -> Set<Record> {
    let fetch = try db.cachedStatement(
      sql: """
        SELECT from_ms, until_ms, current_id, is_live, revoking_id, renewal_info_id FROM phases WHERE line_id = ?
        """)
    return Set(
      try FetchedRow.fetchAll(fetch, arguments: [lineID]).map {
        Record(from: $0[0], until: $0[1], current: $0[2], isLive: $0[3], revoking: $0[4], renewal: $0[5])
      })
  }

  private func write(_ record: Record, _ statement: inout BoundStatement) throws {
    statement.bind(lineID)
    statement.bind(record.from)
    statement.bind(record.until)
    statement.bind(record.current)
    statement.bind(record.isLive)
    statement.bind(record.revoking)
    statement.bind(record.renewal)
    try statement.execute()
  }

  private static let columns = """
    phases (line_id, from_ms, until_ms, current_id, is_live, revoking_id, renewal_info_id) VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  /// A replacement is prepared to be undone, which costs copies of what it changes.
  private static let insertion = "INSERT INTO \(columns)"
  private static let replacement = "INSERT OR REPLACE INTO \(columns)"

  private func records(
    _ line: DerivedChain.DerivedLine, rowIDs: [TransactionID: Int64], renewals: [StoredRenewal]
  ) -> [Record] {
    line.phases.compactMap { phase in
      guard let current = rowIDs[phase.current.id] else { return nil }
      // A phase that is over keeps no renewal info, so that new ones do not rewrite the past.
      let isOver = line.line.validatedAt.map { phase.until <= $0 } ?? false
      return Record(
        from: phase.from, until: phase.until, current: current, isLive: phase.isLive,
        revoking: phase.revoking.flatMap { rowIDs[$0.id] },
        renewal: isOver ? nil : latest(renewals, for: phase.current)?.rowID)
    }
  }

  /// METRICS §2, Renewal info P, as known today.
  private func latest(_ renewals: [StoredRenewal], for current: Subscriptions.Row) -> StoredRenewal? {
    let newest = renewals.filter { $0.observation.observedAt == renewals.last?.observation.observedAt }
    return newest.last { $0.observation.info.productID == current.productID } ?? newest.last
  }
}
