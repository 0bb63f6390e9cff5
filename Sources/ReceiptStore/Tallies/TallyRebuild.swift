import GRDB
import Subscriptions

/// Is told how many chains of how many are done.
public typealias RebuildProgress = @Sendable (Int, Int) -> Void

/// Makes the tallies anew from everything that the store knows.
struct TallyRebuild {
  /// Goes up by one with every change to what lines and rows are counted by: then stored tallies are no longer this program's.
  static let rule = 1

  let db: Database
  var progress: RebuildProgress = { _, _ in }

  /// - Parameter deriving: also makes every other derived row anew: where the catalogue or a rule has changed.
  func run(deriving: Bool) throws {
    try db.execute(sql: "DELETE FROM tallies; DELETE FROM failings; DELETE FROM losses")
    try db.execute(
      sql: """
        UPDATE tally_state SET rule = ?, is_complete = 1, receipts = (SELECT count(*) FROM receipts),
          transactions = (SELECT count(*) FROM transactions)
        """, arguments: [Self.rule])
    let catalog = try CatalogTable.read(db)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM chains") ?? 0
    var (sums, done) = (TallySums(), 0)
    var last: Int64 = .min
    while true {
      let page = try FetchedRow.fetchAll(
        db.cachedStatement(
          sql: "SELECT \(ChainRecord.columns) FROM chains c WHERE c.id > ? ORDER BY c.id LIMIT 1000"),
        arguments: [last]
      ).map(ChainRecord.init)
      guard let newest = page.last else { break }
      last = newest.id
      for chain in page {
        for mark in try marks(of: chain, catalog: catalog, deriving: deriving) { sums.add(mark) }
      }
      if sums.isFull { try sums.write(db) }
      done += page.count
      progress(done, total)
    }
    try sums.write(db)
  }

  private func marks(of record: ChainRecord, catalog: Catalog, deriving: Bool) throws -> [TallyMark] {
    if deriving { try Derivation(db: db, catalog: catalog, ledger: nil).derive(record) }
    guard let chain = try Evidence(db: db, knownAt: .distantFuture).chain(record) else { return [] }
    let lines = chain.lines(catalog: catalog)
    var marks = chain.ownMarks(feed: lines.flatMap(\.events) + chain.ownEvents)
    let find = try db.cachedStatement(
      sql: "SELECT id FROM lines WHERE chain_id = ? AND subscription_group_id = ? AND is_family_shared = ?")
    for line in lines {
      let tallies = line.tallies(catalog: catalog)
      marks += tallies.marks
      let group = line.id.subscriptionGroupID?.rawValue ?? ""
      guard let id = try Int64.fetchOne(find, arguments: [record.id, group, line.isFamilyShared]) else {
        continue
      }
      try StoredSpells(lineID: id, db: db).write(tallies)
    }
    return marks
  }
}
