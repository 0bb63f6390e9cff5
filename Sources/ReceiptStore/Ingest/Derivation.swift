import GRDB
import Subscriptions

/// Makes a chain's derived rows say what its evidence says, and writes only what differs.
struct Derivation {
  let db: Database
  let catalog: Catalog
  /// Learns what the chain adds to the tallies; nil where they are made from the whole store anyway.
  let ledger: TallyLedger?

  /// - Returns: what the feed gained.
  @discardableResult
  func derive(_ record: ChainRecord) throws -> AnswerNews {
    let transactions = try StoredTransaction.fetch(chain: record, db)
    let renewals = try StoredRenewal.fetch(chain: record, db)
    let chain = try record.domain(transactions, renewals, db)
    let lines = chain.lines(catalog: catalog)
    let rowIDs = Dictionary(
      transactions.map { ($0.transaction.transactionID, $0.rowID) }, uniquingKeysWith: { first, _ in first })
    var facts: [Int64: DerivedFacts] = [:]
    var lineIDs: [Int64] = []
    for line in lines {
      let lineID = try self.lineID(of: line, chain: record)
      lineIDs.append(lineID)
      for row in line.rows {
        guard let rowID = rowIDs[row.id] else { continue }
        facts[rowID] = DerivedFacts(row, line: lineID)
        for duplicate in row.duplicateIDs.compactMap({ rowIDs[$0] }) {
          facts[duplicate] = DerivedFacts(duplicateOf: rowID)
        }
      }
    }
    let duplicates = chain.oneTimeDuplicates
    let oneTime = Dictionary(
      chain.oneTime.map { ($0.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    for transaction in transactions {
      let id = transaction.transaction.transactionID
      let other = duplicates[id].flatMap { rowIDs[$0] }
      let new =
        facts[transaction.rowID] ?? other.map(DerivedFacts.init(duplicateOf:))
        ?? DerivedFacts(oneTime: oneTime[id])
      if new != transaction.facts { try new.write(toRow: transaction.rowID, db) }
    }
    for (line, lineID) in zip(lines, lineIDs) {
      try StoredPhases(lineID: lineID, db: db).write(line, rowIDs: rowIDs, renewals: renewals)
    }
    let feed = lines.flatMap(\.events) + chain.ownEvents
    if let ledger {
      var marks = chain.ownMarks(feed: feed)
      for (line, lineID) in zip(lines, lineIDs) {
        let tallies = line.tallies(catalog: catalog)
        try StoredSpells(lineID: lineID, db: db).write(tallies)
        marks += tallies.marks
      }
      ledger.take(marks, of: record.id)
    }
    let news = try StoredEvents(chain: record, db: db).write(feed)
    try removeLines(of: record, except: lineIDs)
    return news
  }

  /// Every chain anew: where a rule or the catalogue has changed.
  func deriveAll() throws {
    for row in try FetchedRow.fetchAll(db, sql: "SELECT \(ChainRecord.columns) FROM chains c ORDER BY c.id") {
      try derive(ChainRecord(row))
    }
  }

  private func lineID(of line: Line, chain: ChainRecord) throws -> Int64 {
    let group = line.id.subscriptionGroupID?.rawValue ?? ""
    let find = try db.cachedStatement(
      sql: "SELECT id FROM lines WHERE chain_id = ? AND subscription_group_id = ? AND is_family_shared = ?")
    if let id = try Int64.fetchOne(find, arguments: [chain.id, group, line.isFamilyShared]) { return id }
    let insert = try db.cachedStatement(
      sql: "INSERT INTO lines (chain_id, subscription_group_id, is_family_shared) VALUES (?, ?, ?)")
    try insert.execute(arguments: [chain.id, group, line.isFamilyShared])
    return db.lastInsertedRowID
  }

  /// A line goes when its rows turned out to belong to another group.
  private func removeLines(of record: ChainRecord, except kept: [Int64]) throws {
    let statement = try db.cachedStatement(sql: "SELECT id FROM lines WHERE chain_id = ?")
    for id in try Int64.fetchAll(statement, arguments: [record.id]) where !kept.contains(id) {
      try db.cachedStatement(sql: "DELETE FROM lines WHERE id = ?").execute(arguments: [id])
    }
  }
}
