import GRDB
import Subscriptions

/// What a commit changes of the ledger's sums, added up before it is written: the changes and facts of many lines fall together.
final class LedgerBook {
  /// Goes up by one with every change to what lines and rows are counted by: stored sums are no longer this program's then.
  static let rule = 11

  /// Two numbers, since a rebuild hashes some twelve of them a transaction and keeps a million and a half.
  private struct Bucket: Hashable, Comparable {
    /// Of the grain that is written next.
    let at: Int64
    private let code: Int64

    init(series: Int, at: Int64, kind: Int64) { (self.at, code) = (at, kind << 10 | Int64(series)) }

    /// Its number.
    var series: Int { Int(code & 1023) }
    var kind: Int64 { code >> 10 }

    /// The order of the table.
    static func < (left: Self, right: Self) -> Bool {
      (left.series, left.at, left.kind) < (right.series, right.at, right.kind)
    }
  }

  private typealias BucketSum = (bucket: Bucket, sum: StoredSum)

  /// Some ninety megabytes, and as much again while they are written. Each time, nearly every row of the table is written anew: lines of
  /// one commit are of all hours.
  private static let most = 1_500_000

  let shapes: Shapes
  let cohorts: CohortBook
  private let db: Database
  /// Nil where there is no reporting currency.
  private let exchange: ExchangeRates?
  private var rowFacts: [RowFactsKey: [NumberedRowFact]] = [:]
  /// A class knows its hash, and a shape's has to be made of all its columns. Ids that are spelt with other code points and look the
  /// same, as no id of Apple's is, are one class here and two shapes.
  private var numbersOfPositions: [PositionClass: Int64] = [:]
  private var numbersOfFacts: [FactClass: Int64] = [:]
  /// What can still be undone.
  private var entries: [BucketSum] = []
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
    if let known = numbersOfPositions[position] { return known }
    let number = try shapes.number(of: PositionShape(position: position))
    numbersOfPositions.keep(number, position)
    return number
  }

  /// The same of facts.
  func number(of kind: FactClass) throws -> Int64 {
    if let known = numbersOfFacts[kind] { return known }
    let number = try shapes.number(of: FactShape(kind: kind))
    numbersOfFacts.keep(number, kind)
    return number
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
  func add(_ sum: Turnover, at t: Instant, _ change: Int64, times sign: Int64) {
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
        NumberedRowFact(fact: $0, kind: try self.number(of: $0.kind))
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
    let rows = sign * abs(sum.count)
    add(
      series.isTakenOff ? Int128(rows) : 0, sum.micros, of: sum.count, at: t, kind, series, .own)
    add(0, sum.converted.micros, of: rows, at: t, kind, series, .converted)
    add(0, Int128(sum.converted.unconverted), of: rows, at: t, kind, series, .unconverted)
    add(sum.proceeds.standard, sum.proceeds.reduced, of: rows, at: t, kind, series, .proceeds)
  }

  private func add(
    _ before: Int128, _ after: Int128, of count: Int64, at t: Instant, _ kind: Int64, _ series: LedgerSeries,
    _ measure: LedgerMeasure
  ) {
    let sum = StoredSum(count: count, before: fitting(before), after: fitting(after))
    guard measure == .own ? !sum.isZero : sum.before != 0 || sum.after != 0 else { return }
    let at = LedgerBuckets.place(of: t, in: series.finest)
    entries.append((Bucket(series: measure.number(of: series), at: at, kind: kind), sum))
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
    numbersOfPositions.removeAll()
    numbersOfFacts.removeAll()
    shapes.forget()
  }

  /// Returns what was added since the last commit, by series, place in its finest grain and class, and forgets it.
  func takeEntries() -> [(series: Int, at: Int64, kind: Int64, sum: StoredSum)] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries.map { ($0.bucket.series, $0.bucket.at, $0.bucket.kind, $0.sum) }
  }

  /// Makes what was added part of the commit: from here on it can be undone with the whole of it alone.
  func flush() throws {
    for (bucket, sum) in entries { sums[bucket] = adding(sums[bucket] ?? StoredSum(), sum) }
    entries.removeAll(keepingCapacity: true)
    let isMuch = cohorts.flush()
    if isMuch || sums.count > Self.most { try write() }
  }

  /// An amount as a column holds it; of one that does not fit, nothing is written, and the sums are not used any more.
  func fitting(_ micros: Int128) -> Int64 {
    let fitting = Int64(exactly: micros)
    if fitting == nil { isTooLarge = true }
    return fitting ?? 0
  }

  private func adding(_ left: StoredSum, _ right: StoredSum) -> StoredSum {
    let sum = left.adding(right)
    if sum == nil { isTooLarge = true }
    return sum ?? left
  }

  /// Adds everything to the table, and forgets it.
  func write() throws {
    defer { isTooLarge = false }
    try cohorts.write(overflow: giveUp)
    var rest = sums.map { (bucket: $0.key, sum: $0.value) }[...]
    sums.removeAll(keepingCapacity: true)
    // So that one page after the other is written.
    rest.sort { $0.bucket < $1.bucket }
    var tables = try LedgerGrain.allCases.map { try SumsTable(db, $0) }
    while let series = rest.first?.bucket.series {
      var ofSeries = rest.prefix { $0.bucket.series == series }
      rest = rest[ofSeries.endIndex...]
      let finest = LedgerSeries(numbered: series).finest
      for grain in LedgerGrain.allCases[finest.rawValue...] {
        if grain != finest { ofSeries = added(ofSeries, by: grain) }
        try write(ofSeries, to: &tables[grain.rawValue])
      }
    }
    if isTooLarge { try giveUp() }
  }

  /// - Parameter sums: of the next shorter grain, in the order of the table.
  private func added(_ sums: ArraySlice<BucketSum>, by grain: LedgerGrain) -> ArraySlice<BucketSum> {
    var added: [BucketSum] = []
    var rest = sums
    while let first = rest.first?.bucket {
      let at = flooredQuotient(first.at, over: grain.length)
      let together = rest.prefix { flooredQuotient($0.bucket.at, over: grain.length) == at }
      rest = rest[together.endIndex...]
      let byKind = Dictionary(together.map { ($0.bucket.kind, $0.sum) }, uniquingKeysWith: adding)
      added += byKind.sorted { $0.key < $1.key }.map { kind, sum in
        (Bucket(series: first.series, at: at, kind: kind), sum)
      }
    }
    return added[...]
  }

  /// - Parameter sums: of one series, in the order of the table.
  private func write(_ sums: ArraySlice<BucketSum>, to table: inout SumsTable) throws {
    var rest = sums
    while let first = rest.first?.bucket {
      let row = rest.prefix { $0.bucket.at == first.at }
      rest = rest[row.endIndex...]
      let changes = row.compactMap { $0.sum.isZero ? nil : ($0.bucket.kind, $0.sum) }
      if !changes.isEmpty, try !table.add(changes, to: first.series, at: first.at) { try giveUp() }
    }
  }

  /// From now on every line is looked at, until the ledger is made anew.
  private func giveUp() throws {
    try db.execute(sql: "UPDATE ledger_state SET is_complete = 0")
  }
}

extension Dictionary where Value == Int64 {
  fileprivate mutating func keep(_ number: Int64, _ kind: Key) {
    if count >= Shapes.most { removeAll() }
    self[kind] = number
  }
}
