import GRDB
import Subscriptions

/// Users and app of the receipts that hold a chain.
struct ChainHolders: Sendable {
  /// Users, with the instant at which a receipt of theirs was first seen to hold the chain.
  var users: [AppUserID: Instant] = [:]
  var app: BundleID?

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
    // Empty if the app gave no user.
    if !user.rawValue.isEmpty { users[user] = min(t, users[user] ?? t) }
  }
}
