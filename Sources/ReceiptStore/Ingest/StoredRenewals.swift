import GRDB
import Subscriptions

struct StoredRenewals {
  let chain: ChainRecord
  let rows: [StoredRenewal]
  let db: Database

  /// Updates the table to match a history, writing only differences.
  ///
  /// - Returns: Whether an info, or its first sighting, is new.
  func write(_ history: RenewalHistory) throws -> Bool {
    var (old, new) = (sets(of: rows.map(\.observation)), sets(of: history.observations))
    var hasNews = false
    // Rows of one instant are read in order of their numbers, so a set is kept or rewritten as a whole.
    for (from, set) in old {
      guard let other = new[from], other.map(\.info) == set.map(\.info) else { continue }
      if other != set {
        try update("observed_after_ms = ?", other[0].observedAfter, of: from)
      }
      (old[from], new[from]) = (nil, nil)
    }
    if old.count == 1, new.count == 1, let (was, before) = old.first, let (from, after) = new.first,
      before.map(\.info) == after.map(\.info)
    {
      try update("observed_after_ms = ?", after[0].observedAfter, of: was)
      try update("observed_at_ms = ?", from, of: was)
      return true
    }
    for from in old.keys.sorted() {
      try forget(from)
      hasNews = true
    }
    for from in new.keys.sorted() {
      for observation in new[from] ?? [] { try StoredRenewal.insert(observation, chain: chain, db) }
      hasNews = true
    }
    return hasNews
  }

  private func sets(of observations: [RenewalObservation]) -> [Instant: [RenewalObservation]] {
    Dictionary(grouping: observations, by: \.observedAt)
  }

  private func update(_ assignment: String, _ value: Instant?, of observedAt: Instant) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE renewal_infos SET \(assignment) WHERE chain_id = ? AND observed_at_ms = ?")
    try statement.execute(arguments: [value, chain.id, observedAt])
  }

  /// Deletes the infos of an instant. The spans that refer to them are derived anew afterwards.
  private func forget(_ observedAt: Instant) throws {
    let release = try db.cachedStatement(
      sql: """
        UPDATE spans SET renewal_info_id = NULL WHERE line_id IN (SELECT id FROM lines WHERE chain_id = ?1)
          AND renewal_info_id IN (SELECT id FROM renewal_infos WHERE chain_id = ?1 AND observed_at_ms = ?2)
        """)
    try release.execute(arguments: [chain.id, observedAt])
    let delete = try db.cachedStatement(
      sql: "DELETE FROM renewal_infos WHERE chain_id = ? AND observed_at_ms = ?")
    try delete.execute(arguments: [chain.id, observedAt])
  }
}
