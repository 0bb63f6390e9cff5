import GRDB
import Subscriptions

extension StoredLedger {
  func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) throws -> [FactClass: FactSum] {
    var sums: [FactClass: FactSum] = [:]
    let stretch = LedgerStretch(after: start, through: end, .facts(family))
    try forEachSum(stretch.buckets, of: .facts(family), converts ? LedgerMeasure.allCases : [.own]) {
      sums[try fact(numbered: $1), default: FactSum()] += FactSum($3, $2)
    }
    for part in stretch.parts {
      for (kind, sum) in try readFacts(in: part, of: family) { sums[kind, default: FactSum()] += sum }
    }
    return sums.filter { !$0.value.isZero }
  }

  func fact(numbered number: Int64) throws -> FactClass {
    guard let kind = classes.facts[number] else { throw Self.missing("facts", number) }
    return kind
  }

  typealias ClassedFact = (kind: FactClass, sum: FactSum)

  private func readFacts(in part: ClosedRange<Instant>, of family: FactFamily) throws -> [ClassedFact] {
    try SharedNeeds.refuseParts()
    if family == .event { return try readEvents(in: part) }
    if family == .retry || family == .offer || family == .offerRevenue {
      return try episodes(of: family, in: part)
    }
    if let horizon = family.horizon { return try readDue(in: part, within: horizon) }
    // Facts without rows have sums for every millisecond, so there are no parts to read.
    guard let date = family.rowDate else { return [] }
    return try db.rows(
      """
      SELECT shape_id, \(RowDates.columns) FROM transaction_rows
      WHERE \(date.column) >= ? AND \(date.column) <= ? AND \(date.condition)
      """, [part.lowerBound, part.upperBound]
    ) { row in
      let dates = RowDates(row, from: 1)
      return try cache.facts(ofShape: row[0], dates, db).compactMap { fact -> ClassedFact? in
        guard fact.kind.family == family, dates[keyPath: fact.date] != nil else { return nil }
        return (fact.kind, fact.sum(dates, catalog.exchange))
      }
    }.flatMap(\.self)
  }

  private func readEvents(in part: ClosedRange<Instant>) throws -> [ClassedFact] {
    try db.rows(
      """
      SELECT c.environment, e.product_id, count(*), e.new_product_id
      FROM events AS e CROSS JOIN chains c ON c.id = e.chain_id
      WHERE e.effective_at_ms >= ? AND e.effective_at_ms <= ?
      GROUP BY c.environment, e.product_id, e.new_product_id
      """, [part.lowerBound, part.upperBound]
    ) { row in
      let kind = FactClass(
        .event(newProduct: row.text(3)), StoreEnvironment(row.text(0) ?? ""),
        product: row.text(1) ?? ProductID(""))
      return (kind, FactSum(count: row[2]))
    }
  }

  /// Reads the facts of lines that became due, or ceased to be due, in a part of an hour (METRICS §5, Due).
  ///
  /// In that part, such a line begins a span, or one of its rows expires or comes within `horizon` of its
  /// expiry. A first sweep begins a span of nearly every line, so a new span matters only if its row, or the
  /// row of the previous span, expires within the horizon.
  private func readDue(in part: ClosedRange<Instant>, within horizon: DueHorizon) throws -> [ClassedFact] {
    var facts: [ClassedFact] = []
    try db.forEach(
      """
      SELECT \(StoredStanding.columns) FROM (
        SELECT s.line_id FROM spans s WHERE s.from_ms >= :from AND s.from_ms <= :to AND EXISTS (
          SELECT 1 FROM transaction_rows WHERE expires_date_ms > :from AND expires_date_ms <= :to + :horizon
            AND id IN (s.current_id, (
              SELECT e.current_id FROM spans e WHERE e.line_id = s.line_id AND e.from_ms < s.from_ms
              ORDER BY e.from_ms DESC LIMIT 1)))
        UNION SELECT line_id FROM transaction_rows
          WHERE line_id IS NOT NULL AND expires_date_ms >= :from AND expires_date_ms <= :to
        UNION SELECT line_id FROM transaction_rows WHERE line_id IS NOT NULL
          AND expires_date_ms >= :from + :horizon AND expires_date_ms <= :to + :horizon) AS f
        CROSS JOIN \(StoredStanding.source(line: "f.line_id"))
      WHERE p.from_ms <= :to AND p.until_ms >= :from AND NOT l.is_family_shared
      """, ["from": part.lowerBound, "to": part.upperBound, "horizon": horizon.milliseconds]
    ) { row in
      let line = StandingLine(
        environment: StoreEnvironment(row.text(0) ?? ""), isFamilyShared: false,
        spans: [try StoredStanding.span(row)])
      for fact in line.facts(validatedAt: nil, catalog: catalog)
      where fact.kind.family == FactFamily(horizon) && part.contains(fact.at) {
        facts.append((fact.kind, fact.sum))
      }
    }
    return facts
  }

  func corrections(_ family: FactFamily, _ window: Window) throws -> [Correction] {
    switch family {
    case .due: try pendingPeriods(window)
    case .bought: try refundsAhead(window)
    default: []
    }
  }

  /// Returns corrections for periods due in the window but unpaid at its end (METRICS §5, Renewals, Pending).
  private func pendingPeriods(_ window: Window) throws -> [Correction] {
    struct Key: Hashable {
      var stretch: Int
      var kind: Int64
    }
    var counts: [Key: Int64] = [:]
    StoreQuery.requireUnpaid(at: window.to)
    try db.forEach(
      StoreQuery.unpaid("expires_ms, due_class_id", where: "due_class_id IS NOT NULL"),
      StoreQuery.unpaidArguments(at: window.to, expiredAfter: window.from)
    ) { row in
      let expires = row.date(0)
      guard window.contains(expires) else { return }
      counts[Key(stretch: window.stretch(of: expires), kind: row[1]), default: 0] += 1
    }
    return try counts.flatMap { key, count -> [Correction] in
      let kind = try fact(numbered: key.kind)
      guard case .due(_, let period) = kind.kind else { return [] }
      return Self.correction(kind, to: .due(.pending, period), place: key.stretch, FactSum(count: count))
    }
  }

  /// Returns corrections for purchases in the window that were refunded after it.
  ///
  /// The unary plus keeps SQLite from using the index of purchase dates, which would read the whole window.
  private func refundsAhead(_ window: Window) throws -> [Correction] {
    SharedNeeds.require(
      .rows(
        of: SharedTable.transactions.name,
        where: """
          refunded_at_ms > \(window.to.rawValue) AND purchase_date_ms > \(window.from.rawValue)
            AND purchase_date_ms <= \(window.to.rawValue)
          """))
    return try db.rows(
      """
      SELECT shape_id, \(RowDates.columns) FROM transaction_rows
      WHERE refunded_at_ms > :t AND +purchase_date_ms > :from AND +purchase_date_ms <= :t
      """, ["from": window.from, "t": window.to]
    ) { row in
      let dates = RowDates(row, from: 1)
      return try cache.facts(ofShape: row[0], dates, db).flatMap { fact -> [Correction] in
        guard case .bought(var bought) = fact.kind.kind else { return [] }
        bought.isRefunded = false
        return Self.correction(
          fact.kind, to: .bought(bought), place: window.stretch(of: dates.purchase),
          fact.sum(dates, catalog.exchange))
      }
    }.flatMap(\.self)
  }

  private static func correction(
    _ kind: FactClass, to other: FactKind, place: Int, _ sum: FactSum
  ) -> [Correction] {
    [(place, kind, -sum), (place, kind.with(other), sum)]
  }
}

extension FactSum {
  fileprivate init(_ sum: StoredSum, _ measure: LedgerMeasure) {
    switch measure {
    case .own: self.init(count: sum.count, micros: Int128(sum.after))
    case .converted: self.init(converted: Converted(micros: Int128(sum.after), unconverted: 0))
    case .unconverted: self.init(converted: Converted(micros: 0, unconverted: sum.after))
    case .proceeds:
      self.init(proceeds: ConvertedProceeds(standard: Int128(sum.before), reduced: Int128(sum.after)))
    }
  }
}

extension FactFamily {
  /// Date column of the family in `transaction_rows`, and the condition of its index; `nil` if there is none.
  var rowDate: (column: String, condition: String)? {
    switch self {
    case .bought, .unpriced, .change, .undated: ("purchase_date_ms", "line_id IS NOT NULL")
    case .due: ("expires_date_ms", "line_id IS NOT NULL")
    case .trialEnd: ("effective_end_ms", "effective_end_ms IS NOT NULL")
    case .refund: ("refunded_at_ms", "refunded_at_ms IS NOT NULL")
    case .upgrade: ("upgraded_at_ms", "upgraded_at_ms IS NOT NULL")
    case .oneTimeRefund: ("cancelled_at_ms", "cancelled_at_ms IS NOT NULL AND expires_date_ms IS NULL")
    default: nil
    }
  }
}

extension RowDates {
  static let columns = """
    purchase_date_ms, expires_date_ms, effective_end_ms, refunded_at_ms, upgraded_at_ms, cancelled_at_ms,
    prorated_refund_micros, partial_refund_micros
    """

  init(_ row: BoundStatement.Columns, from first: CInt) {
    self.init(purchase: row.date(first))
    expires = row.appleDate(first + 1)
    effectiveEnd = row.appleDate(first + 2) ?? expires
    (refunded, upgraded, cancelled) = (
      row.appleDate(first + 3), row.appleDate(first + 4), row.appleDate(first + 5)
    )
    (proratedRefund, partialRefund) = (row.amount(first + 6), row.amount(first + 7))
  }
}
