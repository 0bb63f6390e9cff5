import GRDB
import Subscriptions

/// Updates a chain's derived rows to match its evidence, writing only differences.
struct Derivation {
  let db: Database
  let catalog: Catalog
  let ledger: RollupWriter

  @discardableResult
  func derive(_ record: ChainRecord) throws -> AnswerNews {
    try ledger.touch(record)
    let evidence = try ChainEvidence.fetch(ChainPage([record]), ledger.shapes, db)
    let feed = try StoredEvent.fetch(of: evidence, ledger.shapes, db)
    return try derive(evidence[0], feed: feed[0], isCounted: true)
  }

  func deriveChains(of receipt: ReceiptID) throws {
    for chain in try ChainRecord.fetch(ofReceipt: receipt, db) { try derive(chain) }
  }

  /// - Parameter isCounted: Whether the sums include the stored rows; if so, call `RollupWriter.touch` first.
  @discardableResult
  func derive(_ read: ChainEvidence, feed: [StoredEvent], isCounted: Bool) throws -> AnswerNews {
    let (record, derived) = (read.record, DerivedChain(read.domain(), catalog: catalog))
    let rowIDs = Dictionary(
      read.transactions.map { ($0.transaction.transactionID, $0.rowID) },
      uniquingKeysWith: { first, _ in first })
    var known = try lines(of: record)
    let lineIDs = try derived.lines.map { line in
      try known.removeValue(forKey: LineKey(line.line)) ?? add(line.line, to: record)
    }
    // METRICS §1.3: a second id of a purchase is not a separate transaction.
    var newTransactions = 0
    for transaction in read.transactions {
      var new = transaction
      new.facts = derived.facts.facts(of: transaction.transaction.transactionID, lineIDs, rowIDs)
      if !isCounted { try transaction.count(ledger) }
      newTransactions +=
        (transaction.facts.duplicateOf == nil ? 0 : 1) - (new.facts.duplicateOf == nil ? 0 : 1)
      if new.facts != transaction.facts { try new.update(replacing: transaction, ledger, db) }
    }
    ledger.count(newTransactions: newTransactions)
    let renewalIDs = Dictionary(read.renewals.map { ($0.observation, $0.rowID) }, uniquingKeysWith: { $1 })
    for (line, lineID) in zip(derived.lines, lineIDs) {
      try StoredSpans(lineID: lineID, book: ledger, db: db)
        .write(line, rowIDs: rowIDs, renewalIDs: renewalIDs, isNew: !isCounted)
      try StoredEpisodes(lineID: lineID, book: ledger, db: db)
        .write(line, rowIDs: rowIDs, isNew: !isCounted)
    }
    try ledger.enter(derived.standing, of: record)
    var news = try StoredEvent.write(
      FeedDifference(derived.feed, standing: feed), of: record, ledger, db, isCounted: isCounted)
    news.newTransactions += newTransactions
    // Remove lines whose transactions turned out to belong to another subscription group.
    for id in known.values { try removeLine(id) }
    return news
  }

  private struct LineKey: Hashable {
    var group: String
    var isFamilyShared: Bool

    init(_ line: Line) {
      (group, isFamilyShared) = (line.id.subscriptionGroupID?.rawValue ?? "", line.isFamilyShared)
    }

    init(_ row: BoundStatement.Columns) { (group, isFamilyShared) = (row.text(1) ?? "", row.isTrue(2)) }
  }

  private func lines(of chain: ChainRecord) throws -> [LineKey: Int64] {
    let lines = try db.rows(
      "SELECT id, subscription_group_id, is_family_shared FROM lines WHERE chain_id = ?", [chain.id]
    ) { (LineKey($0), $0[0]) }
    return Dictionary(lines, uniquingKeysWith: { first, _ in first })
  }

  private func add(_ line: Line, to chain: ChainRecord) throws -> Int64 {
    let key = LineKey(line)
    let insert = try db.cachedStatement(
      sql: "INSERT INTO lines (chain_id, subscription_group_id, is_family_shared) VALUES (?, ?, ?)")
    try insert.execute(arguments: [chain.id, key.group, key.isFamilyShared])
    return db.lastInsertedRowID
  }

  private func removeLine(_ id: Int64) throws {
    try StoredSpans(lineID: id, book: ledger, db: db).count(times: -1)
    try StoredEpisodes(lineID: id, book: ledger, db: db).count(times: -1)
    try db.cachedStatement(sql: "DELETE FROM lines WHERE id = ?").execute(arguments: [id])
  }
}
