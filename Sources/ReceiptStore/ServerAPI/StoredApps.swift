import GRDB
import Subscriptions

/// The apps that receipts and ids were imported for, as an import goes on: they are few, and to look for them takes a while.
struct StoredApps {
  private var apps: Set<BundleID>?

  /// Those besides one, which is one of them from now on.
  mutating func others(than app: BundleID, _ db: Database) throws -> [BundleID] {
    var known = try apps ?? fetch(db)
    known.insert(app)
    apps = known
    return known.filter { $0 != app }.sorted()
  }

  /// The one that an id which comes without an app was imported for; nil where it was for none.
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
