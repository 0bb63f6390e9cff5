import GRDB
import Subscriptions

/// What a commit changes of the ledger's sums.
///
/// Changes of position, transactions and events are counted where their rows are written. What a line is counted for while it stands
/// somewhere follows from several tables: a chain is touched before the first change to any of them, which takes it off, and
/// entered when it was derived anew.
final class CommitLedger {
  private let db: Database
  private let catalog: Catalog
  private var touched: Set<Int64> = []
  private var newTransactions = 0
  let book: LedgerBook

  init(db: Database, catalog: Catalog) {
    self.db = db
    self.catalog = catalog
    book = LedgerBook(db: db, exchange: catalog.exchange)
  }

  func touch(_ chain: ChainRecord) throws {
    guard touched.insert(chain.id).inserted else { return }
    for fact in try facts(of: chain) { try book.add(fact, times: -1) }
  }

  /// Finds a chain, or makes it, and touches it.
  func touch(
    _ original: OriginalTransactionID, in environment: StoreEnvironment
  ) throws -> (chain: ChainRecord, isNew: Bool) {
    if let chain = try ChainRecord.existing(original, in: environment, db) {
      try touch(chain)
      return (chain, false)
    }
    let chain = try ChainRecord.insert(original, in: environment, db)
    touched.insert(chain.id)
    return (chain, true)
  }

  /// - Parameter facts: for which the chain's lines are counted from now on.
  func enter(_ facts: [Fact], of chain: ChainRecord) throws {
    touched.remove(chain.id)
    for fact in facts { try book.add(fact) }
  }

  /// Has the lines of a chain be fresh for longer, where nothing else becomes known by a validation.
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

  /// A point to which everything taken since can be undone.
  struct Savepoint {
    fileprivate var touched: Set<Int64>
    fileprivate var newTransactions: Int
    fileprivate var book: LedgerBook.Savepoint
  }

  var savepoint: Savepoint {
    Savepoint(touched: touched, newTransactions: newTransactions, book: book.savepoint)
  }

  func rollBack(to savepoint: Savepoint) {
    (touched, newTransactions) = (savepoint.touched, savepoint.newTransactions)
    book.rollBack(to: savepoint.book)
  }

  /// Adds up the difference so far, which can be undone with the whole commit alone from then on.
  func flush() throws {
    for id in touched {
      guard let chain = try ChainRecord.fetch(id, db) else { continue }
      try enter(facts(of: chain), of: chain)
    }
    try book.flush()
  }

  /// Writes the difference.
  func finish() throws {
    try flush()
    try book.write()
    guard newTransactions != 0 else { return }
    try db.execute(
      sql: "UPDATE ledger_state SET transactions = transactions + ?", arguments: [newTransactions])
    newTransactions = 0
  }
}
