import GRDB
import Subscriptions

extension StoredLedger {
  func facts(_ family: FactFamily, after start: Instant?, through end: Instant) throws -> [FactClass: FactSum]
  {
    let stretch = LedgerStretch(after: start, through: end, .facts(family))
    let sums = try sums(stretch, of: .facts(family), measures(of: family))
    var found = [FactClass: FactSum](minimumCapacity: sums.count)
    for (number, sum) in sums {
      found[try fact(numbered: number), default: FactSum()] += FactSum(
        count: sum.own.count, micros: sum.own.after,
        converted: Converted(micros: sum.converted.after, unconverted: sum.unconverted.after),
        proceeds: ConvertedProceeds(standard: sum.proceeds.before, reduced: sum.proceeds.after))
    }
    for part in stretch.parts { try add(part, of: family, to: &found) }
    return found.filter { !$0.value.isZero }
  }

  private func measures(of family: FactFamily) -> [LedgerMeasure] {
    guard catalog.exchange != nil else { return [.own] }
    switch family {
    case .bought: return [.own, .converted, .unconverted, .proceeds]
    case .refund, .upgrade, .dueInADay, .dueInAWeek: return [.own, .converted, .unconverted]
    case .fresh, .shared, .unpriced, .change, .undated, .due, .trialEnd, .oneTimeRefund, .event: return [.own]
    }
  }

  private func fact(numbered number: Int64) throws -> FactClass {
    guard let kind = numberedFacts[number] else { throw Self.missing("facts", number) }
    return kind
  }

  /// Part of an hour, row by row.
  private func add(
    _ part: ClosedRange<Instant>, of family: FactFamily, to sums: inout [FactClass: FactSum]
  ) throws {
    switch family {
    case .event: try addEvents(part, to: &sums)
    default:
      if let horizon = family.horizon { return try addDue(part, within: horizon, to: &sums) }
      // What has no rows is kept by the instant.
      guard let date = family.rowDate else { return }
      let rows = try FetchedRow.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT shape_id, \(RowDates.columns) FROM transaction_rows
            WHERE \(date.column) >= ? AND \(date.column) <= ? AND \(date.condition)
            """), arguments: [part.lowerBound, part.upperBound])
      for row in rows {
        let dates = RowDates(row, from: 1)
        for fact in try factClasses.facts(ofShape: row[0], dates, db) where fact.kind.family == family {
          sums[fact.kind, default: FactSum()] += fact.sum(dates, catalog.exchange)
        }
      }
    }
  }

  private func addEvents(_ part: ClosedRange<Instant>, to sums: inout [FactClass: FactSum]) throws {
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT c.environment, e.product_id, count(*), e.new_product_id
          FROM events AS e CROSS JOIN chains c ON c.id = e.chain_id
          WHERE e.effective_at_ms >= ? AND e.effective_at_ms <= ?
          GROUP BY c.environment, e.product_id, e.new_product_id
          """), arguments: [part.lowerBound, part.upperBound])
    for row in rows {
      let kind = FactClass(
        .event(newProduct: row[3]), StoreEnvironment(row[0] as String), product: row[1])
      sums[kind, default: FactSum()] += FactSum(count: row[2])
    }
  }

  /// Of the lines of which a span begins within it, where the one before ends, or whose row comes within the horizon or expires.
  private func addDue(
    _ part: ClosedRange<Instant>, within horizon: DueHorizon, to sums: inout [FactClass: FactSum]
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(StoredStanding.columns) FROM (
          SELECT line_id FROM spans WHERE from_ms >= :from AND from_ms <= :to
          UNION SELECT line_id FROM transaction_rows
            WHERE line_id IS NOT NULL AND expires_date_ms >= :from AND expires_date_ms <= :to
          UNION SELECT line_id FROM transaction_rows WHERE line_id IS NOT NULL
            AND expires_date_ms >= :from + :horizon AND expires_date_ms <= :to + :horizon) AS f
          CROSS JOIN \(StoredStanding.source(line: "f.line_id"))
        WHERE p.from_ms <= :to AND p.until_ms >= :from AND NOT l.is_family_shared
        """)
    let rows = try FetchedRow.fetchAll(
      statement, arguments: ["from": part.lowerBound, "to": part.upperBound, "horizon": horizon.milliseconds])
    for row in rows {
      let line = StandingLine(
        environment: StoreEnvironment(row[0] as String), isFamilyShared: false,
        spans: [StoredStanding.span(row)])
      for fact in line.facts(validatedAt: nil, catalog: catalog)
      where fact.kind.family == FactFamily(horizon) && part.contains(fact.at) {
        sums[fact.kind, default: FactSum()] += fact.sum
      }
    }
  }
}

extension StoredLedger {
  func corrections(_ family: FactFamily, _ window: Window) throws -> [Correction] {
    switch family {
    case .due: try pendingPeriods(window)
    case .bought: try refundsAhead(window)
    default: []
    }
  }

  /// METRICS §5, Renewals, Pending: periods that came due in the window, of lines that have not paid at its end.
  private func pendingPeriods(_ window: Window) throws -> [Correction] {
    try FetchedRow.fetchAll(
      db,
      sql: """
        SELECT \(window.stretch(ofColumn: "p.expires_ms")) AS stretch, p.due_class_id, count(*)
        FROM \(StoreQuery.unpaid) AND p.expires_ms > :from AND p.expires_ms <= :t AND p.due_class_id IS NOT NULL
        GROUP BY stretch, p.due_class_id
        """, arguments: ["from": window.from, "t": window.to]
    ).flatMap { row -> [Correction] in
      let kind = try fact(numbered: row[1])
      guard case .due(_, let period) = kind.kind else { return [] }
      return Self.correction(kind, to: .due(.pending, period), place: row[0], FactSum(count: row[2]))
    }
  }

  /// Of what was bought in the window. The plus keeps SQLite from reading all of that.
  private func refundsAhead(_ window: Window) throws -> [Correction] {
    try FetchedRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT shape_id, \(RowDates.columns) FROM transaction_rows
          WHERE refunded_at_ms > :t AND +purchase_date_ms > :from AND +purchase_date_ms <= :t
          """), arguments: ["from": window.from, "t": window.to]
    ).flatMap { row -> [Correction] in
      let dates = RowDates(row, from: 1)
      return try factClasses.facts(ofShape: row[0], dates, db).flatMap { fact -> [Correction] in
        guard case .bought(var bought) = fact.kind.kind else { return [] }
        bought.isRefunded = false
        return Self.correction(
          fact.kind, to: .bought(bought), place: window.stretch(of: dates.purchase),
          fact.sum(dates, catalog.exchange))
      }
    }
  }

  private static func correction(
    _ kind: FactClass, to other: FactKind, place: Int, _ sum: FactSum
  ) -> [Correction] {
    [
      Correction(place: place, kind: kind, sum: -sum),
      Correction(place: place, kind: kind.with(other), sum: sum),
    ]
  }
}

extension FactFamily {
  /// The column of the date by which rows are counted, and what its index asks for besides; nil where no row is.
  var rowDate: (column: String, condition: String)? {
    switch self {
    case .bought, .unpriced, .change, .undated: ("purchase_date_ms", "line_id IS NOT NULL")
    case .due: ("expires_date_ms", "line_id IS NOT NULL")
    case .trialEnd: ("effective_end_ms", "effective_end_ms IS NOT NULL")
    case .refund: ("refunded_at_ms", "refunded_at_ms IS NOT NULL")
    case .upgrade: ("upgraded_at_ms", "upgraded_at_ms IS NOT NULL")
    case .oneTimeRefund: ("cancelled_at_ms", "cancelled_at_ms IS NOT NULL AND expires_date_ms IS NULL")
    case .fresh, .shared, .event, .dueInADay, .dueInAWeek: nil
    }
  }
}

extension RowDates {
  /// Of `transaction_rows`.
  static let columns = """
    purchase_date_ms, expires_date_ms, effective_end_ms, refunded_at_ms, upgraded_at_ms, cancelled_at_ms,
    prorated_refund_micros, partial_refund_micros
    """

  init(_ row: FetchedRow, from first: Int) {
    let expires: Instant? = row[first + 1]
    self.init(
      purchase: row[first], expires: expires, effectiveEnd: (row[first + 2] as Instant?) ?? expires,
      refunded: row[first + 3], upgraded: row[first + 4], cancelled: row[first + 5],
      proratedRefund: row[first + 6], partialRefund: row[first + 7])
  }
}
