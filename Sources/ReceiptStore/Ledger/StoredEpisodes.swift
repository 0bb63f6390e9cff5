import GRDB
import Subscriptions

/// Stored episodes of one line. Writes only differences, and adds the facts to the sums.
struct StoredEpisodes {
  let lineID: Int64
  let book: RollupWriter
  let db: Database

  private struct Record: Hashable {
    var family: FactFamily
    var from: Instant
    var current: Int64
    var until: Instant
    var next: Instant?
    var settled: Instant?
    var kind: Int64
    var micros: Int64?
    var converted = Converted()
    var irregularUntil: Instant?
    var expires: Instant?
    /// Class of the later purchases in one currency.
    var laterKind: Int64?
    var later = FactSum()
    /// Date of the last later purchase; `ofLast` is its sum.
    var last: Instant?
    var ofLast = FactSum()
  }

  static let columns = """
    family, from_ms, current_id, until_ms, next_ms, settled_ms, class_id, micros, converted_micros, unconverted,
    irregular_until_ms, later_class_id, later_count, later_micros, later_converted_micros, later_unconverted, last_ms, last_count, last_micros, last_converted_micros, last_unconverted,
    expires_ms
    """

  /// - Parameters:
  ///   - rowIDs: Row numbers of the line's transactions.
  ///   - isNew: Whether the line has no stored episodes.
  func write(_ line: DerivedChain.DerivedLine, rowIDs: [TransactionID: Int64], isNew: Bool) throws {
    let new = Set(try line.episodes.compactMap { try record($0, line.line, rowIDs) })
    let old = isNew ? [] : try fetch()
    guard new != old else { return }
    for record in old.subtracting(new) {
      try count(record, times: -1)
      try db.cachedStatement(
        sql: "DELETE FROM episodes WHERE line_id = ? AND family = ? AND from_ms = ? AND current_id = ?"
      ).execute(arguments: [lineID, record.family.rawValue, record.from, record.current])
    }
    var insert = try BoundStatement(
      """
      INSERT INTO episodes (line_id, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, db)
    for record in new.subtracting(old) {
      try count(record, times: 1)
      insert.bind(lineID)
      insert.bind(record.family.rawValue)
      insert.bind(record.from)
      insert.bind(record.current)
      insert.bind(record.until)
      insert.bind(record.next)
      insert.bind(record.settled)
      insert.bind(record.kind)
      insert.bind(record.micros)
      insert.bind(record.converted.isZero ? nil : book.fitting(record.converted.micros))
      insert.bind(record.converted.unconverted == 0 ? nil : record.converted.unconverted)
      insert.bind(record.irregularUntil)
      insert.bind(record.laterKind)
      bind(record.later, to: &insert)
      insert.bind(record.last)
      bind(record.ofLast, to: &insert)
      insert.bind(record.expires)
      try insert.execute()
    }
  }

  private func bind(_ sum: FactSum, to insert: inout BoundStatement) {
    insert.bind(sum.count == 0 ? nil : sum.count)
    insert.bind(sum.count == 0 ? nil : book.fitting(sum.micros))
    insert.bind(sum.converted.isZero ? nil : book.fitting(sum.converted.micros))
    insert.bind(sum.converted.unconverted == 0 ? nil : sum.converted.unconverted)
  }

  /// Subtracts the line's facts from the sums. The rows are deleted with the line.
  func takeOff() throws {
    for record in try fetch() { try count(record, times: -1) }
  }

  private func count(_ record: Record, times sign: Int64) throws {
    guard record.family == .retry || record.family == .offer else { return }
    let sum = FactSum(count: 1, micros: Int128(record.micros ?? 0), converted: record.converted)
    book.add(sum, at: record.from, record.kind, in: record.family, times: sign)
    guard let laterKind = record.laterKind else { return }
    book.add(record.later, at: record.from, laterKind, in: .offerRevenue, times: sign)
  }

  private func record(
    _ episode: Episode, _ line: Line, _ rowIDs: [TransactionID: Int64]
  ) throws -> Record? {
    guard let current = rowIDs[line.rows[episode.row].id] else { return nil }
    let family = episode.kind.family
    var record = Record(
      family: family, from: episode.from, current: current, until: episode.until, next: episode.next,
      settled: [.retry, .offer, .pendingConsent].contains(family) ? episode.settled : nil,
      kind: try book.number(of: episode.kind), micros: episode.micros,
      converted: episode.converted, irregularUntil: episode.isIrregularUntil,
      expires: family == .pendingConsent ? line.rows[episode.row].expires : nil)
    guard let later = episode.later, let (currency, sum) = episode.laterInOneCurrency.first else {
      return record
    }
    record.laterKind = try book.number(of: episode.kind.offerRevenue(in: currency))
    record.later = sum
    if let ofLast = later.ofLast.amounts[currency] { (record.last, record.ofLast) = (later.last, ofLast) }
    return record
  }

  private func fetch() throws -> Set<Record> {
    let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM episodes WHERE line_id = ?")
    return Set(
      try FetchedRow.fetchAll(statement, arguments: [lineID]).compactMap { row in
        guard let family = FactFamily(rawValue: try row[0]) else { return nil }
        var record = try Record(
          family: family, from: row[1], current: row[2], until: row[3], next: row[4], settled: row[5],
          kind: row[6], micros: row.amount(7, in: StoredNumber.sums(of: 1)), irregularUntil: row[10],
          expires: row[21], laterKind: row[11])
        record.converted = try row.converted(8)
        record.later = try Self.sum(row, from: 12)
        (record.last, record.ofLast) = try (row[16], Self.sum(row, from: 17))
        return record
      })
  }

  private static func sum(_ row: FetchedRow, from first: Int) throws -> FactSum {
    let count = try row[first] as Int? ?? 0
    return try FactSum(
      count: Int64(count), micros: Int128(row.amount(first + 1, in: StoredNumber.sums(of: count)) ?? 0),
      converted: row.converted(first + 2, of: count))
  }
}
