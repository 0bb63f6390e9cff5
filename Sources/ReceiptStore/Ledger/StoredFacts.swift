import GRDB
import Subscriptions

/// Facts as the store keeps them: whole hours from its sums, parts of one from the rows.
struct StoredFacts {
  typealias Sums = [KnownFactClass: FactSum]

  let db: Database
  let classes: FactClasses
  private let catalog: Catalog
  private let numbered: [Int64: KnownFactClass]

  init(db: Database, classes: FactClasses, catalog: Catalog) throws {
    (self.db, self.classes, self.catalog) = (db, classes, catalog)
    numbered = try classes.read(db)
  }

  /// What of a family lies in (start, end].
  ///
  /// - Parameter start: nil is the beginning of time.
  func sums(_ family: FactFamily, after start: Instant?, through end: Instant) throws -> Sums {
    let stretch = LedgerStretch(after: start, through: end, .facts(family))
    var sums: [Int64: FactSum] = [:]
    for buckets in stretch.buckets { try add(buckets, of: family, to: &sums) }
    var found = Sums(minimumCapacity: sums.count)
    for (number, sum) in sums where !sum.isZero {
      found[try kind(numbered: number), default: FactSum()] += sum
    }
    for part in stretch.parts { try add(part, of: family, to: &found) }
    return found.filter { !$0.value.isZero }
  }

  func kind(numbered number: Int64) throws -> KnownFactClass {
    guard let kind = numbered[number] else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there is no class of facts \(number)")
    }
    return kind
  }

  private func add(
    _ buckets: LedgerBuckets, of family: FactFamily, to sums: inout [Int64: FactSum]
  ) throws {
    var statement = try BoundStatement(
      "SELECT class_id, count, micros_after FROM sums WHERE series = ? AND grain = ? AND at >= ? AND at < ?",
      db)
    statement.bind(LedgerSeries.facts(family).number)
    statement.bind(buckets.grain.rawValue)
    statement.bind(buckets.range.lowerBound)
    statement.bind(buckets.range.upperBound)
    try statement.forEach { row in sums[row[0], default: FactSum()] += FactSum(count: row[1], micros: row[2])
    }
  }

  /// Part of an hour, row by row.
  private func add(_ part: ClosedRange<Instant>, of family: FactFamily, to sums: inout Sums) throws {
    switch family {
    // Kept by the instant.
    case .fresh, .shared: break
    case .bought, .unpriced, .change, .undated:
      try add(rows: "purchase_date_ms", where: "line_id IS NOT NULL", part, of: family, to: &sums)
    case .due:
      try add(rows: "expires_date_ms", where: "line_id IS NOT NULL", part, of: family, to: &sums)
    case .trialEnd: try add(rows: "effective_end_ms", part, of: family, to: &sums)
    case .refund: try add(rows: "refunded_at_ms", part, of: family, to: &sums)
    case .upgrade: try add(rows: "upgraded_at_ms", part, of: family, to: &sums)
    case .oneTimeRefund:
      try add(rows: "cancelled_at_ms", where: "expires_date_ms IS NULL", part, of: family, to: &sums)
    case .event: try addEvents(part, to: &sums)
    case .dueInADay, .dueInAWeek: try addDue(part, of: family, to: &sums)
    }
  }

  /// - Parameters:
  ///   - date: the column of the family's date.
  ///   - condition: what its index asks for besides.
  private func add(
    rows date: String, where condition: String = "1", _ part: ClosedRange<Instant>, of family: FactFamily,
    to sums: inout Sums
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT shape_id, \(RowDates.columns) FROM transaction_rows
        WHERE \(date) >= ? AND \(date) <= ? AND \(condition)
        """)
    let rows = try FetchedRow.fetchAll(statement, arguments: [part.lowerBound, part.upperBound])
    for row in rows {
      let dates = RowDates(row, from: 1)
      for (fact, kind) in try classes.facts(ofRows: .init(shape: row[0], dates), dates, db)
      where kind.kind.family == family {
        sums[kind, default: FactSum()] += fact.sum(dates)
      }
    }
  }

  private func addEvents(_ part: ClosedRange<Instant>, to sums: inout Sums) throws {
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT c.environment, e.product_id, count(*) FROM events AS e CROSS JOIN chains c ON c.id = e.chain_id
          WHERE e.effective_at_ms >= ? AND e.effective_at_ms <= ? GROUP BY c.environment, e.product_id
          """), arguments: [part.lowerBound, part.upperBound])
    for row in rows {
      let kind = FactClass(.event, StoreEnvironment(row[0] as String), product: row[1])
      sums[classes.of(kind), default: FactSum()] += FactSum(count: row[2])
    }
  }

  /// Of the spans that begin or end within it, or whose row comes within the horizon or expires.
  private func addDue(_ part: ClosedRange<Instant>, of family: FactFamily, to sums: inout Sums) throws {
    let horizon = family == .dueInADay ? Milliseconds.day : 7 * Milliseconds.day
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(StoredStanding.columns) FROM (
          SELECT line_id FROM spans WHERE until_ms >= :from AND until_ms <= :to
          UNION SELECT line_id FROM spans WHERE from_ms >= :from AND from_ms <= :to AND change_id IS NOT NULL
          UNION SELECT line_id FROM transaction_rows
            WHERE line_id IS NOT NULL AND expires_date_ms >= :from AND expires_date_ms <= :to
          UNION SELECT line_id FROM transaction_rows WHERE line_id IS NOT NULL
            AND expires_date_ms >= :from + :horizon AND expires_date_ms <= :to + :horizon) AS f
          CROSS JOIN \(StoredStanding.source(line: "f.line_id"))
        WHERE p.from_ms <= :to AND p.until_ms >= :from AND NOT l.is_family_shared
        """)
    let rows = try FetchedRow.fetchAll(
      statement, arguments: ["from": part.lowerBound, "to": part.upperBound, "horizon": horizon])
    for row in rows {
      let line = StandingLine(
        environment: StoreEnvironment(row[0] as String), isFamilyShared: false,
        spans: [StoredStanding.span(row)])
      for fact in line.facts(validatedAt: nil, catalog: catalog)
      where fact.kind.family == family && part.contains(fact.at) {
        sums[classes.of(fact.kind), default: FactSum()] += fact.sum
      }
    }
  }
}

extension RowDates {
  /// Of `transaction_rows`.
  fileprivate static let columns = """
    purchase_date_ms, expires_date_ms, effective_end_ms, refunded_at_ms, upgraded_at_ms, cancelled_at_ms,
    prorated_refund_micros
    """

  fileprivate init(_ row: FetchedRow, from first: Int) {
    let expires: Instant? = row[first + 1]
    self.init(
      purchase: row[first], expires: expires, effectiveEnd: (row[first + 2] as Instant?) ?? expires,
      refunded: row[first + 3], upgraded: row[first + 4], cancelled: row[first + 5],
      proratedRefund: row[first + 6])
  }
}
