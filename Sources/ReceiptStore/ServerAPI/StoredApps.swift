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

  private func fetch(_ db: Database) throws -> Set<BundleID> {
    try Set(BundleID.fetchAll(db, sql: "SELECT DISTINCT bundle_id FROM receipts WHERE bundle_id IS NOT NULL"))
  }
}
