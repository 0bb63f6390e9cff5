import GRDB
import Subscriptions

/// Changes of the ledger's sums in one commit.
///
/// Changes of position, transactions and events are counted as their rows are written. Facts about freshness,
/// family sharing and due periods depend on several tables. So `touch` subtracts them before the first change
/// to a chain, and `enter` adds them once the chain is derived.
final class RollupTransaction {
  private let db: Database
  private let catalog: Catalog
  private var touched: Set<Int64> = []
  private var newTransactions = 0
  let book: RollupWriter

  init(db: Database, catalog: Catalog) {
    self.db = db
    self.catalog = catalog
    book = RollupWriter(db: db, catalog: catalog)
  }

  func touch(_ chain: ChainRecord) throws {
    guard touched.insert(chain.id).inserted else { return }
    for fact in try facts(of: chain) { try book.add(fact, times: -1) }
  }

  func touch(
    _ original: OriginalTransactionID, in environment: StoreEnvironment
  ) throws -> ChainRecord {
    let chain = try ChainRecord.find(original, in: environment, db)
    try touch(chain)
    return chain
  }

  /// - Parameter facts: New facts of the chain's lines.
  func enter(_ facts: [Fact], of chain: ChainRecord) throws {
    touched.remove(chain.id)
    for fact in facts { try book.add(fact) }
  }

  /// Extends the freshness of a chain's lines, after a validation without news.
  func move(_ chain: ChainRecord, from before: Instant, to after: Instant) throws {
    guard !touched.contains(chain.id) else { return }
    for line in try StoredStanding.lines(of: chain, db) {
      let (old, new) = (line.fresh(validatedAt: before), line.fresh(validatedAt: after))
      for fact in Set(old).subtracting(new) { try book.add(fact, times: -1) }
      for fact in Set(new).subtracting(old) { try book.add(fact) }
    }
  }

  private func facts(of chain: ChainRecord) throws -> [Fact] {
    try StoredStanding.lines(of: chain, db).flatMap {
      $0.facts(validatedAt: chain.validatedAt, catalog: catalog)
    }
  }

  func count(newTransactions count: Int) { newTransactions += count }

  struct Savepoint {
    fileprivate var touched: Set<Int64>
    fileprivate var newTransactions: Int
    fileprivate var book: Int
  }

  var savepoint: Savepoint {
    Savepoint(touched: touched, newTransactions: newTransactions, book: book.savepoint)
  }

  func rollBack(to savepoint: Savepoint) {
    (touched, newTransactions) = (savepoint.touched, savepoint.newTransactions)
    book.rollBack(to: savepoint.book)
  }

  /// Merges the changes so far, after which only the whole commit can be rolled back.
  func flush() throws {
    for id in touched {
      guard let chain = try ChainRecord.fetch(id, db) else { continue }
      try enter(facts(of: chain), of: chain)
    }
    try book.flush()
  }

  func finish() throws {
    try flush()
    try book.write()
    guard newTransactions != 0 else { return }
    try db.execute(
      sql: "UPDATE ledger_state SET transactions = transactions + ?", arguments: [newTransactions])
    newTransactions = 0
  }
}
