import GRDB
import Subscriptions

/// Whose receipts hold a chain, and of which app.
struct ChainHolders: Sendable {
  /// Each with when a receipt of theirs was first seen to hold it.
  var users: [AppUserID: Instant] = [:]
  var app: BundleID?

  /// Those of each chain.
  static func fetch(_ page: ChainPage, _ db: Database) throws -> [ChainHolders] {
    var holders = [ChainHolders](repeating: ChainHolders(), count: page.records.count)
    try page.forEach(
      """
      SELECT k.chain_id, k.first_observed_at_ms, q.app_user_id, q.bundle_id
      FROM receipt_chains k CROSS JOIN receipts q ON q.id = k.receipt_id WHERE k.chain_id BETWEEN ? AND ?
      ORDER BY k.chain_id, k.receipt_id
      """, db
    ) { place, row in
      holders[place].add(
        row.text(2) ?? AppUserID(""), since: row.instant(1) ?? .distantPast, app: row.text(3))
    }
    return holders
  }

  private mutating func add(_ user: AppUserID, since t: Instant, app: BundleID?) {
    if self.app == nil { self.app = app }
    // Empty where the app gave none.
    if !user.rawValue.isEmpty { users[user] = min(t, users[user] ?? t) }
  }
}
