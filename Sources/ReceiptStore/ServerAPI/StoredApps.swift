import GRDB
import Subscriptions

/// Cache of the apps of receipts during an import.
struct StoredApps {
  private var apps: Set<BundleID>?

  /// Returns the other apps, and adds `app` to the cache.
  mutating func others(than app: BundleID, _ db: Database) throws -> [BundleID] {
    var known = try apps ?? fetch(db)
    known.insert(app)
    apps = known
    return known.filter { $0 != app }.sorted()
  }

  /// Returns the app that an id without an app was imported for earlier, or `nil`.
  mutating func app(of id: CustomerID, _ db: Database) throws -> BundleID? {
    let known = try apps ?? fetch(db)
    apps = known
    guard !known.isEmpty else { return nil }
    let find = try db.cachedStatement(
      sql: """
        SELECT bundle_id FROM receipts
        WHERE fingerprint IN (\(databaseQuestionMarks(count: known.count))) AND bundle_id IS NOT NULL
        ORDER BY dead_reason IS NOT NULL, bundle_id LIMIT 1
        """)
    return try BundleID.fetchOne(
      find, arguments: StatementArguments(known.map { id.fingerprint(in: $0) }))
  }

  private func fetch(_ db: Database) throws -> Set<BundleID> {
    try Set(BundleID.fetchAll(db, sql: "SELECT DISTINCT bundle_id FROM receipts WHERE bundle_id IS NOT NULL"))
  }
}
