import FoundationEssentials
import GRDB
import Subscriptions

/// Collects changes to the ledger's sums in memory for one commit, because many lines change the same sum.
///
/// Changes of position, transactions and events are counted as their rows are written. Facts about freshness,
/// family sharing and due periods depend on several tables. So `touch` subtracts them before the first change
/// to a chain, and `enter` adds them once the chain is derived.
final class RollupWriter {
  /// Version of the rules for counting lines and rows; incrementing it invalidates the stored sums.
  static let version = 12

  /// Key of a sum: the numbers of a series, a time bucket and a class.
  private struct Bucket: Hashable, Comparable {
    let series: Int
    /// Bucket number in the grain that is written next.
    var at: Int64
    let kind: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.series, left.at, left.kind) < (right.series, right.at, right.kind)
    }
  }

  private typealias BucketSum = (bucket: Bucket, sum: StoredSum)

  /// Maximum number of sums in memory: about 90 MB, and twice that during a write.
  ///
  /// A write changes nearly every row of the table, so few large writes are faster than many small ones.
  private static let most = 1_250_000

  let shapes: AttributeDictionary
  let catalog: Catalog
  private let db: Database
  private var rowFacts: [RowFactsKey: [(fact: RowFact, kind: Int64)]] = [:]
  /// Cache of the numbers of classes; product ids that differ only in their Unicode encoding would share an
  /// entry, but Apple never sends such ids.
  private var numbersOfPositions: [PositionClass: Int64] = [:]
  private var numbersOfFacts: [FactClass: Int64] = [:]
  /// Changes that can still be rolled back to a savepoint.
  private var entries: [BucketSum] = []
  private var sums: [Bucket: StoredSum] = [:]
  private var isTooLarge = false
  private var touched: Set<Int64> = []
  private var newTransactions = 0
  private var journal = PublicationJournal()

  init(db: Database, catalog: Catalog) {
    (self.db, self.catalog) = (db, catalog)
    shapes = AttributeDictionary(db: db)
  }

  func number(of position: PositionClass) throws -> Int64 {
    if let known = numbersOfPositions[position] { return known }
    let number = try shapes.number(of: PositionShape(position: position))
    numbersOfPositions.keep(number, position)
    return number
  }

  func number(of kind: FactClass) throws -> Int64 {
    if let known = numbersOfFacts[kind] { return known }
    let number = try shapes.number(of: FactShape(kind: kind))
    numbersOfFacts.keep(number, kind)
    return number
  }

  func number(ofChange flow: Flow?, from old: Int64?, to new: Int64) throws -> Int64 {
    try shapes.number(of: ChangeShape(old: old, new: new, flow: flow))
  }

  func add(_ sum: ChangeSum, at t: Instant, _ change: Int64, times sign: Int64) {
    let sum = sign < 0 ? -sum : sum
    let (before, after) = (sum.convertedBefore, sum.convertedAfter)
    add(sum.monthlyBefore, sum.monthlyAfter, of: sum.lines, at: t, change, .changes, .own)
    add(before.micros, after.micros, of: sign, at: t, change, .changes, .converted)
    add(
      Int128(before.unconverted), Int128(after.unconverted), of: sign, at: t, change, .changes, .unconverted)
  }

  func add(_ fact: Fact, times sign: Int64 = 1) throws {
    let kind = try number(of: fact.kind)
    add(fact.sum, at: fact.at, kind, in: fact.kind.family, times: sign)
  }

  /// Adds or subtracts the facts of a row with the shape `number`; calls `shape` if they are not cached.
  func add(_ number: Int64, _ dates: RowDates, times sign: Int64 = 1, shape: () -> TransactionShape) throws {
    let key = RowFactsKey(shape: number, dates)
    let facts: [(fact: RowFact, kind: Int64)]
    if let known = rowFacts[key] {
      facts = known
    } else {
      facts = try CountedRow(shape(), dates).facts.map {
        (fact: $0, kind: try self.number(of: $0.kind))
      }
      rowFacts[key] = facts
    }
    for numbered in facts {
      guard let t = dates[keyPath: numbered.fact.date] else { continue }
      add(
        numbered.fact.sum(dates, catalog.exchange), at: t, numbered.kind, in: numbered.fact.kind.family,
        times: sign)
    }
  }

  func add(_ sum: FactSum, at t: Instant, _ kind: Int64, in family: FactFamily, times sign: Int64) {
    let (sum, series) = (sign < 0 ? -sum : sum, LedgerSeries.facts(family))
    let rows = sign * abs(sum.count)
    add(series.isTakenOff ? Int128(rows) : 0, sum.micros, of: sum.count, at: t, kind, series, .own)
    add(0, sum.converted.micros, of: rows, at: t, kind, series, .converted)
    add(0, Int128(sum.converted.unconverted), of: rows, at: t, kind, series, .unconverted)
    add(sum.proceeds.standard, sum.proceeds.reduced, of: rows, at: t, kind, series, .proceeds)
  }

  /// - Parameter kind: Id of the cohort class of the line's first payment.
  func add(_ mark: CohortLife.Mark, of first: Instant, as kind: Int64, times sign: Int64) throws {
    var (number, shape) = (kind, try shapes.existing(kind, CohortShape.self))
    if mark.currency != shape.currency {
      shape.currency = mark.currency
      number = try shapes.number(of: shape)
    }
    let (sum, series) = (sign < 0 ? -mark.sum : mark.sum, LedgerSeries.cohorts(months: mark.months))
    add(0, sum.micros, of: sum.rows, at: first, number, series, .own)
    add(0, sum.converted.micros, of: sum.rows, at: first, number, series, .converted)
    add(0, Int128(sum.converted.unconverted), of: sum.rows, at: first, number, series, .unconverted)
  }

  private func add(
    _ before: Int128, _ after: Int128, of count: Int64, at t: Instant, _ kind: Int64, _ series: LedgerSeries,
    _ measure: LedgerMeasure
  ) {
    let sum = StoredSum(count: count, before: fitting(before), after: fitting(after))
    guard measure == .own ? !sum.isZero : sum.before != 0 || sum.after != 0 else { return }
    let at = LedgerBuckets.place(of: t, in: series.finest)
    entries.append((Bucket(series: series.number(of: measure), at: at, kind: kind), sum))
  }

  struct Savepoint {
    fileprivate var entries: Int
    fileprivate var touched: Set<Int64>
    fileprivate var newTransactions: Int
  }

  var savepoint: Savepoint {
    Savepoint(entries: entries.count, touched: touched, newTransactions: newTransactions)
  }

  func rollBack(to savepoint: Savepoint) {
    entries.removeLast(entries.count - savepoint.entries)
    (touched, newTransactions) = (savepoint.touched, savepoint.newTransactions)
    rowFacts.removeAll()
    numbersOfPositions.removeAll()
    numbersOfFacts.removeAll()
    shapes.forget()
  }

  /// Makes the changes part of the commit; from then on, only the whole commit can be rolled back.
  func flush() throws {
    for id in touched {
      guard let chain = try ChainRecord.fetch(id, db) else { continue }
      try enter(facts(of: chain), of: chain)
    }
    for (bucket, sum) in entries { sums[bucket] = adding(sums[bucket] ?? StoredSum(), sum) }
    entries.removeAll(keepingCapacity: true)
    if sums.count > Self.most { try write() }
  }

  /// Returns an amount as a 64-bit number; if it does not fit, returns 0 and marks the sums as incomplete.
  private func fitting(_ micros: Int128) -> Int64 {
    let fitting = Int64(exactly: micros)
    if fitting == nil { isTooLarge = true }
    return fitting ?? 0
  }

  private func adding(_ left: StoredSum, _ right: StoredSum) -> StoredSum {
    let sum = left.adding(right)
    if sum == nil { isTooLarge = true }
    return sum ?? left
  }

  func finish() throws {
    try flush()
    try write()
    try db.execute(
      sql: "UPDATE ledger_state SET transactions = transactions + ?1 WHERE ?1 <> 0",
      arguments: [newTransactions])
    newTransactions = 0
    try journal.write(db)
  }

  private func write() throws {
    defer { isTooLarge = false }
    var rest = sums.map { (bucket: $0.key, sum: $0.value) }[...]
    sums.removeAll(keepingCapacity: true)
    // Write in the order of the pages of the table.
    rest.sort { $0.bucket < $1.bucket }
    while let series = rest.first?.bucket.series {
      var ofSeries = Array(rest.prefix { $0.bucket.series == series })
      rest = rest.dropFirst(ofSeries.count)
      let grains = LedgerSeries(numbered: series).grains
      for grain in grains {
        if grain != grains[0] {
          for place in ofSeries.indices {
            ofSeries[place].bucket.at = grain.place(of: ofSeries[place].bucket.at)
          }
        }
        var left = ofSeries[...]
        while let at = left.first?.bucket.at {
          let row = left.prefix { $0.bucket.at == at }
          left = left[row.endIndex...]
          try add(row, [series, grain.rawValue, at])
        }
      }
    }
    if isTooLarge { try giveUp() }
  }

  /// Adds sums to the row of the table whose series, grain and bucket number are `key`.
  private func add(_ changes: ArraySlice<BucketSum>, _ key: StatementArguments) throws {
    guard changes.contains(where: { !$0.sum.isZero }) else { return }
    let old = try db.rows("SELECT packed FROM sums WHERE series = ? AND grain = ? AND at = ?", key) {
      try PackedSums.unpack($0.bytes(0))
    }.first
    var sums = Dictionary((old ?? []).map { ($0.kind, $0.sum) }, uniquingKeysWith: adding)
    for (bucket, sum) in changes { sums[bucket.kind] = adding(sums[bucket.kind] ?? StoredSum(), sum) }
    let new = sums.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
    guard !new.isEmpty || old != nil else { return }
    try journal.note(sums: key, db)
    if new.isEmpty {
      try db.cachedStatement(sql: "DELETE FROM sums WHERE series = ? AND grain = ? AND at = ?")
        .execute(arguments: key)
    } else {
      let packed = Data(PackedSums.pack(new.map { ($0.key, $0.value) }))
      try db.cachedStatement(
        sql: """
          INSERT INTO sums (series, grain, at, packed) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET packed = excluded.packed
          """
      ).execute(arguments: key + [packed])
    }
  }

  /// Marks the sums as incomplete, so that every report reads all lines until the next rebuild.
  private func giveUp() throws { try db.execute(sql: "UPDATE ledger_state SET is_complete = 0") }

  func touch(_ chain: ChainRecord) throws {
    journal.note(chain: chain.id)
    guard touched.insert(chain.id).inserted else { return }
    for fact in try facts(of: chain) { try add(fact, times: -1) }
  }

  func touch(_ original: OriginalTransactionID, in environment: StoreEnvironment) throws -> ChainRecord {
    let chain = try ChainRecord.find(original, in: environment, db)
    try touch(chain)
    return chain
  }

  func enter(_ facts: [Fact], of chain: ChainRecord) throws {
    touched.remove(chain.id)
    journal.note(chain: chain.id)
    for fact in facts { try add(fact) }
  }

  /// Updates the freshness facts of a chain's lines after a validation that found no changes.
  func move(_ chain: ChainRecord, from before: Instant, to after: Instant) throws {
    guard !touched.contains(chain.id) else { return }
    journal.note(chain: chain.id)
    for line in try StoredStanding.lines(of: chain, db) {
      let (old, new) = (line.fresh(validatedAt: before), line.fresh(validatedAt: after))
      for fact in Set(old).subtracting(new) { try add(fact, times: -1) }
      for fact in Set(new).subtracting(old) { try add(fact) }
    }
  }

  private func facts(of chain: ChainRecord) throws -> [Fact] {
    try StoredStanding.lines(of: chain, db).flatMap {
      $0.facts(validatedAt: chain.validatedAt, catalog: catalog)
    }
  }

  func count(newTransactions count: Int) { newTransactions += count }
}

extension Dictionary where Value == Int64 {
  fileprivate mutating func keep(_ number: Int64, _ kind: Key) {
    if count >= AttributeDictionary.most { removeAll() }
    self[kind] = number
  }
}
