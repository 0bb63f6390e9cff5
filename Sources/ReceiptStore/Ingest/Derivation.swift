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
    let lineIDs = try lines.map { try lineID(of: $0, chain: record) }
    let facts = ChainFacts(chain, lines, lineIDs)
    for transaction in transactions {
      let new = facts.facts(of: transaction.transaction.transactionID, rowIDs)
      if new != transaction.facts { try new.write(toRow: transaction.rowID, db) }
    }
    return try finish(record, chain, lines, lineIDs, rowIDs, renewals, isNew: false)
  }

  /// The first answer that speaks of a chain: its transactions are written together with what is derived for them.
  func derive(
    new record: ChainRecord, _ transactions: [StoredTransaction.Evidence]
  ) throws -> AnswerNews {
    let renewals = try StoredRenewal.fetch(chain: record, db)
    let chain = try record.domain(new: transactions, renewals, db)
    let lines = chain.lines(catalog: catalog)
    let lineIDs = try lines.map { try add($0, to: record) }
    let facts = ChainFacts(chain, lines, lineIDs)
    var rowIDs: [TransactionID: Int64] = [:]
    // What a duplicate points to comes first.
    for isDuplicate in [false, true] {
      for evidence in transactions {
        let id = evidence.transaction.transactionID
        guard facts.isDuplicate(id) == isDuplicate else { continue }
        rowIDs[id] = try StoredTransaction.insert(
          evidence, facts: facts.facts(of: id, rowIDs), chain: record.id, db)
      }
    }
    return try finish(record, chain, lines, lineIDs, rowIDs, renewals, isNew: true)
  }

  private func finish(
    _ record: ChainRecord, _ chain: Chain, _ lines: [Line], _ lineIDs: [Int64],
    _ rowIDs: [TransactionID: Int64], _ renewals: [StoredRenewal], isNew: Bool
  ) throws -> AnswerNews {
    for (line, lineID) in zip(lines, lineIDs) {
      try StoredPhases(lineID: lineID, db: db).write(
        line, rowIDs: rowIDs, renewals: renewals, isNew: isNew)
    }
    let feed = lines.flatMap(\.events) + chain.ownEvents
    if let ledger {
      var marks = chain.ownMarks(feed: feed)
      for (line, lineID) in zip(lines, lineIDs) {
        let tallies = line.tallies(catalog: catalog)
        try StoredSpells(lineID: lineID, db: db).write(tallies, isNew: isNew)
        marks += tallies.marks
      }
      ledger.take(marks, of: record.id)
    }
    let news = try StoredEvents(chain: record, db: db).write(feed, isNew: isNew)
    if !isNew { try removeLines(of: record, except: lineIDs) }
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
    return try add(line, to: chain)
  }

  private func add(_ line: Line, to chain: ChainRecord) throws -> Int64 {
    let group = line.id.subscriptionGroupID?.rawValue ?? ""
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
