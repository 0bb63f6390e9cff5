import GRDB
import Subscriptions

/// Changes of the ledger's sums in one commit. They are added up in memory, since many lines change one sum.
final class RollupWriter {
  /// Version of the rules for counting lines and rows. Increment it when they change: stored sums become
  /// invalid.
  static let version = 11

  /// Key of a sum, packed into two numbers: a rebuild hashes some twelve keys per transaction, and keeps 1.5
  /// million.
  private struct Bucket: Hashable, Comparable {
    /// Number of the bucket, in the grain written next.
    let at: Int64
    private let code: Int64

    init(series: Int, at: Int64, kind: Int64) { (self.at, code) = (at, kind << 12 | Int64(series)) }

    var series: Int { Int(code & 4095) }
    var kind: Int64 { code >> 12 }

    static func < (left: Self, right: Self) -> Bool {
      (left.series, left.at, left.kind) < (right.series, right.at, right.kind)
    }
  }

  private typealias BucketSum = (bucket: Bucket, sum: StoredSum)

  /// Maximum number of sums in memory, some 90 MB, which doubles while they are written. Each write changes
  /// nearly every row of the table, since the lines of a commit are spread over all hours.
  private static let most = 1_500_000

  let shapes: AttributeDictionary
  let catalog: Catalog
  private let db: Database
  private var rowFacts: [RowFactsKey: [NumberedRowFact]] = [:]
  /// Cache by class, since a class stores its hash while a shape's is computed from all columns. Ids that are
  /// equal strings with different code points, which Apple never uses, are one class but two shapes.
  private var numbersOfPositions: [PositionClass: Int64] = [:]
  private var numbersOfFacts: [FactClass: Int64] = [:]
  /// Changes that can still be rolled back.
  private var entries: [BucketSum] = []
  private var sums: [Bucket: StoredSum] = [:]
  private var isTooLarge = false

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

  /// - Parameter change: Number of its class.
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

  /// Adds the facts of a transaction's row, or subtracts them.
  ///
  /// - Parameters:
  ///   - number: Number of the row's shape.
  ///   - shape: Called if the facts of the shape are not cached.
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
        numbered.fact.sum(dates, catalog.exchange), at: t, numbered.kind, in: numbered.fact.kind.family,
        times: sign)
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

  /// - Parameters:
  ///   - first: Instant of the line's first payment.
  ///   - kind: Number of the class of the line's first payment.
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

  /// Number of changes so far.
  var savepoint: Int { entries.count }

  func rollBack(to savepoint: Int) {
    entries.removeLast(entries.count - savepoint)
    rowFacts.removeAll()
    numbersOfPositions.removeAll()
    numbersOfFacts.removeAll()
    shapes.forget()
  }

  /// Removes and returns the entries since the last flush, by series, place in the finest grain, and class.
  func takeEntries() -> [(series: Int, at: Int64, kind: Int64, sum: StoredSum)] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries.map { ($0.bucket.series, $0.bucket.at, $0.bucket.kind, $0.sum) }
  }

  /// Makes the changes part of the commit, after which only the whole commit can be rolled back.
  func flush() throws {
    for (bucket, sum) in entries { sums[bucket] = adding(sums[bucket] ?? StoredSum(), sum) }
    entries.removeAll(keepingCapacity: true)
    if sums.count > Self.most { try write() }
  }

  /// Returns an amount for a sum. If it does not fit, returns 0 and marks the sums as incomplete.
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

  /// Writes all sums to the table, and empties the book.
  func write() throws {
    defer { isTooLarge = false }
    var rest = sums.map { (bucket: $0.key, sum: $0.value) }[...]
    sums.removeAll(keepingCapacity: true)
    // In the order of the pages.
    rest.sort { $0.bucket < $1.bucket }
    var tables = try LedgerGrain.allCases.map { try SumsTable(db, $0) }
    while let series = rest.first?.bucket.series {
      var ofSeries = rest.prefix { $0.bucket.series == series }
      rest = rest[ofSeries.endIndex...]
      let grains = LedgerSeries(numbered: series).grains
      for grain in grains {
        if grain != grains[0] { ofSeries = added(ofSeries, by: grain) }
        try write(ofSeries, to: &tables[grain.rawValue])
      }
    }
    if isTooLarge { try giveUp() }
  }

  /// - Parameter sums: Sums of the next shorter grain, in the order of the table.
  private func added(_ sums: ArraySlice<BucketSum>, by grain: LedgerGrain) -> ArraySlice<BucketSum> {
    var added: [BucketSum] = []
    var rest = sums
    while let first = rest.first?.bucket {
      let at = grain.place(of: first.at)
      let together = rest.prefix { grain.place(of: $0.bucket.at) == at }
      rest = rest[together.endIndex...]
      let byKind = Dictionary(together.map { ($0.bucket.kind, $0.sum) }, uniquingKeysWith: adding)
      added += byKind.sorted { $0.key < $1.key }.map { kind, sum in
        (Bucket(series: first.series, at: at, kind: kind), sum)
      }
    }
    return added[...]
  }

  /// - Parameter sums: Sums of one series, in the order of the table.
  private func write(_ sums: ArraySlice<BucketSum>, to table: inout SumsTable) throws {
    var rest = sums
    while let first = rest.first?.bucket {
      let row = rest.prefix { $0.bucket.at == first.at }
      rest = rest[row.endIndex...]
      let changes = row.compactMap { $0.sum.isZero ? nil : ($0.bucket.kind, $0.sum) }
      if !changes.isEmpty, try !table.add(changes, to: first.series, at: first.at) { try giveUp() }
    }
  }

  /// Marks the sums as incomplete. Until the next rebuild every report reads all lines.
  private func giveUp() throws {
    try db.execute(sql: "UPDATE ledger_state SET is_complete = 0")
  }
}

extension Dictionary where Value == Int64 {
  fileprivate mutating func keep(_ number: Int64, _ kind: Key) {
    if count >= AttributeDictionary.most { removeAll() }
    self[kind] = number
  }
}
