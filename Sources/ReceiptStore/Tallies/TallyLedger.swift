import GRDB
import Subscriptions

/// What a commit changes of the tallies: for each chain that it touches, what it adds afterwards less what it added before.
///
/// A chain is touched before the first change to anything that its figures are made from.
final class TallyLedger {
  private struct Entry {
    /// Empty where there was no such chain.
    var before: [TallyMark]
    /// Nil where nothing was derived anew.
    var after: [TallyMark]?
  }

  private let db: Database
  private let catalog: Catalog
  private var entries: [Int64: Entry] = [:]
  /// What `after` was before each change to it, for savepoints that are rolled back.
  private var history: [(chain: Int64, after: [TallyMark]?)] = []
  private var moved: [TallyMark] = []
  private let sums = SummingUp()
  private var newTransactions = 0
  let shapes: Shapes
  let book: LedgerBook

  init(db: Database, catalog: Catalog) {
    self.db = db
    self.catalog = catalog
    shapes = Shapes(db: db)
    book = LedgerBook(db: db, shapes: shapes)
  }

  /// Remembers what a chain adds as it stands.
  func touch(_ chain: ChainRecord) throws {
    guard entries[chain.id] == nil else { return }
    let evidence = try EvidenceAsOf(db: db, knownAt: .distantFuture).chain(chain)
    let lines = evidence?.lines(catalog: catalog) ?? []
    entries[chain.id] = Entry(before: evidence?.marks(lines, catalog: catalog) ?? [])
  }

  /// Finds a chain, or makes it, and remembers what it adds.
  func touch(
    _ original: OriginalTransactionID, in environment: StoreEnvironment
  ) throws -> (chain: ChainRecord, isNew: Bool) {
    if let chain = try ChainRecord.existing(original, in: environment, db) {
      try touch(chain)
      return (chain, false)
    }
    let chain = try ChainRecord.insert(original, in: environment, db)
    entries[chain.id] = Entry(before: [])
    return (chain, true)
  }

  /// Keeps what a chain adds from now on.
  func take(_ marks: [TallyMark], of chain: Int64) {
    history.append((chain, entries[chain]?.after))
    entries[chain, default: Entry(before: [])].after = marks
  }

  /// Adds marks that no derivation brings; one that follows will bring them.
  func move(_ marks: [TallyMark], of chain: Int64) {
    guard let entry = entries[chain] else {
      moved += marks
      return
    }
    take((entry.after ?? entry.before) + marks, of: chain)
  }

  func count(newTransactions count: Int) { newTransactions += count }

  /// A point to which everything taken since can be undone.
  struct Savepoint {
    fileprivate var history: Int
    fileprivate var moved: Int
    fileprivate var newTransactions: Int
    fileprivate var book: Int
  }

  var savepoint: Savepoint {
    Savepoint(
      history: history.count, moved: moved.count, newTransactions: newTransactions, book: book.savepoint)
  }

  func rollBack(to savepoint: Savepoint) {
    shapes.forget()
    newTransactions = savepoint.newTransactions
    book.rollBack(to: savepoint.book)
    for change in history[savepoint.history...].reversed() { entries[change.chain]?.after = change.after }
    history.removeLast(history.count - savepoint.history)
    moved.removeLast(moved.count - savepoint.moved)
  }

  /// Adds up the difference so far, which can be undone with the whole commit alone from then on, and forgets the chains.
  func settle() throws {
    let changed = entries.values.filter { $0.after != nil }
    sums.add(before: changed.map(\.before), after: changed.compactMap(\.after) + [moved])
    entries.removeAll(keepingCapacity: true)
    history.removeAll(keepingCapacity: true)
    // Its storage was given away, to another thread.
    moved = []
    if sums.isFull { try sums.write(db) }
    try book.settle()
  }

  /// Writes the difference.
  func finish() throws {
    try settle()
    try sums.write(db)
    try book.write()
    guard newTransactions > 0 else { return }
    try db.execute(
      sql: "UPDATE tally_state SET transactions = transactions + ?", arguments: [newTransactions])
    newTransactions = 0
  }
}

extension Chain {
  /// Everything that the chain adds: its lines, its other purchases and its feed.
  func marks(_ lines: [Line], catalog: Catalog) -> [TallyMark] {
    lines.flatMap { $0.marks(catalog: catalog) }
      + ownMarks(feed: lines.flatMap(\.events) + ownEvents)
  }

  /// What it adds apart from its lines' states and rows.
  func ownMarks(feed: [LineEvent]) -> [TallyMark] {
    let refunds = oneTime.compactMap { purchase -> TallyMark? in
      guard purchase.inAppOwnershipType != .familyShared, let cancelled = purchase.cancellationDate else {
        return nil
      }
      return TallyMark(cancelled, TallyKey(.oneTimeRefund, environment, product: purchase.productID))
    }
    let events = Set(feed).map { event in
      TallyMark(event.effectiveAt, TallyKey(.event, environment, product: event.productID))
    }
    return refunds + events
  }
}
