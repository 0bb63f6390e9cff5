import GRDB
import Subscriptions

/// What a commit changes of the ledger's sums, added up before it is written: the changes and facts of many lines fall together.
final class LedgerBook {
  /// Goes up by one with every change to what lines and rows are counted by: stored sums are no longer this program's then.
  static let rule = 8

  private struct Bucket: Hashable {
    var series: LedgerSeries
    var measure: LedgerMeasure
    /// Of the grain that is written next.
    var at: Int64
    var kind: Int64

    var number: Int { measure.number(of: series) }

    // Two numbers instead of five: a rebuild hashes some twelve of them a transaction.
    func hash(into hasher: inout Hasher) {
      hasher.combine(at)
      hasher.combine(kind &* 1024 &+ Int64(number))
    }
  }

  /// Ten million units of a currency: nine hundred thousand of them fit into a sum.
  private static let largestAmount: UInt64 = 10_000_000_000_000
  /// Some fifty megabytes, and as much again while they are written.
  private static let most = 400_000

  let shapes: Shapes
  let cohorts: CohortBook
  private let db: Database
  /// Nil where there is no reporting currency.
  private let exchange: ExchangeRates?
  private var rowFacts: [RowFactsKey: [NumberedRowFact]] = [:]
  /// What can still be undone.
  private var entries: [(bucket: Bucket, sum: StoredSum)] = []
  private var sums: [Bucket: StoredSum] = [:]
  private var isTooLarge = false

  init(db: Database, exchange: ExchangeRates?) {
    self.db = db
    self.exchange = exchange
    shapes = Shapes(db: db)
    cohorts = CohortBook(db: db, shapes: shapes)
  }

  /// The number under which the tables name a class of positions.
  func number(of position: PositionClass) throws -> Int64 {
    try shapes.number(of: PositionShape(position: position))
  }

  /// The same of changes, between classes of positions that are numbered already.
  func number(ofChange flow: Flow?, from old: Int64?, to new: Int64) throws -> Int64 {
    try shapes.number(of: ChangeShape(old: old, new: new, flow: flow))
  }

  /// The number of the class of what renewals do in the reporting currency, of lines that stand as before otherwise.
  ///
  /// - Parameter position: the number of where they stand.
  func number(ofRenewalsIn position: Int64) throws -> Int64 {
    try shapes.number(of: ChangeShape(old: position, new: position, flow: nil))
  }

  /// - Parameter change: the number of its class.
  func add(_ sum: Turnover, at t: Instant, _ change: Int64) {
    let (before, after) = (sum.convertedBefore, sum.convertedAfter)
    add(
      StoredSum(count: sum.lines, before: sum.monthlyBefore, after: sum.monthlyAfter), at: t, change,
      .changes,
      .own)
    add(StoredSum(before: before.micros, after: after.micros), at: t, change, .changes, .converted)
    add(
      StoredSum(before: before.unconverted, after: after.unconverted), at: t, change, .changes, .unconverted)
  }

  func add(_ fact: Fact, times sign: Int64 = 1) throws {
    let kind = try shapes.number(of: FactShape(kind: fact.kind))
    add(fact.sum, at: fact.at, kind, in: fact.kind.family, times: sign)
  }

  /// Adds what a transaction's row is counted as, or takes it off.
  ///
  /// - Parameters:
  ///   - number: of the row's shape.
  ///   - shape: is asked where it is not known yet what rows of the shape are counted as.
  func add(
    _ number: Int64, _ dates: RowDates, times sign: Int64 = 1, shape: () -> TransactionShape
  ) throws {
    let key = RowFactsKey(shape: number, dates)
    let facts: [NumberedRowFact]
    if let known = rowFacts[key] {
      facts = known
    } else {
      facts = try CountedRow(shape(), dates).facts.map {
        NumberedRowFact(fact: $0, kind: try shapes.number(of: FactShape(kind: $0.kind)))
      }
      rowFacts[key] = facts
    }
    for numbered in facts {
      guard let t = dates[numbered.fact.date] else { continue }
      add(
        numbered.fact.sum(dates, exchange), at: t, numbered.kind, in: numbered.fact.kind.family, times: sign)
    }
  }

  private struct NumberedRowFact {
    var fact: RowFact
    var kind: Int64
  }

  func add(
    _ sum: FactSum, at t: Instant, _ kind: Int64, in family: FactFamily, times sign: Int64
  ) {
    let (sum, series) = (sign < 0 ? -sum : sum, LedgerSeries.facts(family))
    add(StoredSum(count: sum.count, after: sum.micros), at: t, kind, series, .own)
    add(StoredSum(after: sum.converted.micros), at: t, kind, series, .converted)
    add(StoredSum(after: sum.converted.unconverted), at: t, kind, series, .unconverted)
    add(
      StoredSum(before: sum.proceeds.standard, after: sum.proceeds.reduced), at: t, kind, series, .proceeds)
  }

  private func add(
    _ sum: StoredSum, at t: Instant, _ kind: Int64, _ series: LedgerSeries, _ measure: LedgerMeasure
  ) {
    guard !sum.isZero else { return }
    let at = LedgerBuckets.place(of: t, in: series.finest)
    entries.append((Bucket(series: series, measure: measure, at: at, kind: kind), sum))
  }

  /// A point to which everything added since can be undone.
  struct Savepoint {
    fileprivate var entries: Int
    fileprivate var cohorts: Int
  }

  var savepoint: Savepoint { Savepoint(entries: entries.count, cohorts: cohorts.savepoint) }

  func rollBack(to savepoint: Savepoint) {
    entries.removeLast(entries.count - savepoint.entries)
    cohorts.rollBack(to: savepoint.cohorts)
    rowFacts.removeAll()
    shapes.forget()
  }

  /// Makes what was added part of the commit: from here on it can be undone with the whole of it alone.
  func settle() throws {
    for (bucket, sum) in entries { sums[bucket, default: StoredSum()] += bounded(sum, bucket.series) }
    entries.removeAll(keepingCapacity: true)
    let isMuch = cohorts.settle()
    if isMuch || sums.count > Self.most { try write() }
  }

  private func bounded(_ sum: StoredSum, _ series: LedgerSeries) -> StoredSum {
    // What a line bought after an offer is the sum of a few hundred prices at most.
    let largest = Self.largestAmount * (series == .facts(.offerRevenue) ? 100 : 1)
    guard max(sum.before.magnitude, sum.after.magnitude) > largest else { return sum }
    isTooLarge = true
    return StoredSum(count: sum.count)
  }

  /// Adds everything to the table, and forgets it.
  func write() throws {
    defer { sums.removeAll(keepingCapacity: true) }
    if isTooLarge { try giveUp() }
    try cohorts.write(overflow: giveUp)
    var sums = self.sums
    for grain in LedgerGrain.allCases {
      var coarser: [Bucket: StoredSum] = [:]
      var rows: [(bucket: Bucket, sum: StoredSum)] = []
      for (bucket, sum) in sums where !sum.isZero {
        if bucket.series.finest.rawValue <= grain.rawValue {
          rows.append((bucket, sum))
        } else {
          coarser[bucket] = sum
        }
      }
      try write(rows, grain)
      guard let next = grain.next else { break }
      for (var bucket, sum) in rows {
        bucket.at = flooredQuotient(bucket.at, over: next.length)
        coarser[bucket, default: StoredSum()] += sum
      }
      sums = coarser
    }
  }

  private func write(_ rows: [(bucket: Bucket, sum: StoredSum)], _ grain: LedgerGrain) throws {
    // In the order of the table, so that one page after the other is written.
    let ordered = rows.sorted { left, right in
      let (a, b) = (left.bucket, right.bucket)
      return (a.number, a.at, a.kind) < (b.number, b.at, b.kind)
    }
    var table = try SumsTable(db, grain)
    var start = 0
    while start < ordered.count {
      let first = ordered[start].bucket
      let end = ordered[start...].firstIndex { $0.bucket.number != first.number || $0.bucket.at != first.at }
      let changes = ordered[start..<(end ?? ordered.count)].map { ($0.bucket.kind, $0.sum) }
      if try !table.add(changes, to: first.number, at: first.at) { try giveUp() }
      start = end ?? ordered.count
    }
  }

  /// From now on every line is looked at, until the ledger is made anew.
  private func giveUp() throws {
    try db.execute(sql: "UPDATE ledger_state SET is_complete = 0")
  }
}
