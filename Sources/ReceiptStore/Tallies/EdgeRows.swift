import GRDB
import Subscriptions

/// The marks of a part of a minute, from the rows that are counted in it.
struct EdgeRows {
  let asking: Asking

  /// What happens in the finest bucket that holds an instant, through it where it is the last that counts.
  func marks(of families: Set<TallyFamily>, around t: Instant, isLast: Bool) throws -> [TallyMark] {
    try Dictionary(grouping: families, by: \.finest).flatMap { grain, families in
      let start = grain.start(of: t)
      let end = isLast ? t : start + (grain.minutes * Milliseconds.minute - 1)
      return try marks(of: Set(families), from: start, through: end)
    }
  }

  /// What happens from one instant through another.
  func marks(of families: Set<TallyFamily>, from start: Instant, through end: Instant) throws -> [TallyMark] {
    guard start <= end else { return [] }
    var found = try rowMarks(families, start, end)
    if families.contains(.oneTimeRefund) {
      found += try marks(
        .oneTimeRefund,
        """
        SELECT c.environment, x.product_id, x.cancelled_at_ms FROM transactions x JOIN chains c ON c.id = x.chain_id
        WHERE x.expires_date_ms IS NULL AND x.duplicate_of IS NULL AND x.cancelled_at_ms >= ? AND x.cancelled_at_ms <= ?
          AND x.in_app_ownership_type <> '\(OwnershipType.familyShared.rawValue)'
        """, start, end)
    }
    if families.contains(.event) {
      // What an event's product is, its shape tells: a look-up for each of very many.
      let (product, events) =
        asking.question.products.isEmpty ? ("''", "event_rows") : ("e.product_id", "events")
      found += try marks(
        .event,
        """
        SELECT c.environment, \(product), e.effective_at_ms FROM \(events) AS e CROSS JOIN chains c ON c.id = e.chain_id
        WHERE e.effective_at_ms >= ? AND e.effective_at_ms <= ?
        """, start, end)
    }
    return found
  }

  /// Family-shared lines that begin.
  func sharedMarks(from start: Instant, through end: Instant) throws -> [TallyMark] {
    try marks(
      .shared,
      """
      SELECT c.environment, '', x.purchase_date_ms FROM transactions x JOIN lines l ON l.id = x.line_id
        JOIN chains c ON c.id = l.chain_id
      WHERE x.line_id IS NOT NULL AND x.purchase_date_ms >= ? AND x.purchase_date_ms <= ? AND l.is_family_shared
        AND NOT EXISTS (SELECT 1 FROM transactions o
          WHERE o.chain_id = x.chain_id AND o.line_id = x.line_id AND (o.purchase_date_ms, o.id) < (x.purchase_date_ms, x.id))
      """, start, end)
  }

  private func marks(
    _ family: TallyFamily, _ sql: String, _ start: Instant, _ end: Instant
  ) throws -> [TallyMark] {
    try FetchedRow.fetchAll(asking.db.cachedStatement(sql: sql), arguments: [start, end]).map { row in
      TallyMark(row[2], TallyKey(family, StoreEnvironment(row[0] as String), product: row[1]))
    }
  }

  /// Which column tells when rows of a family are counted, and which rows it holds for.
  private static let columns: [(families: Set<TallyFamily>, condition: @Sendable (String) -> String)] = [
    ([.bought, .unpriced, .change, .undated], { "line_id IS NOT NULL AND purchase_date_ms \($0)" }),
    ([.due], { "line_id IS NOT NULL AND expires_date_ms \($0)" }),
    ([.trialEnd], { "kind = 'trial' AND stored_end_ms \($0)" }),
    ([.refund], { "refunded_at_ms IS NOT NULL AND refunded_at_ms \($0)" }),
    ([.upgrade], { "upgraded = 1 AND upgraded_at_ms \($0)" }),
  ]

  private func rowMarks(
    _ families: Set<TallyFamily>, _ start: Instant, _ end: Instant
  ) throws -> [TallyMark] {
    let found = Self.columns.filter { !$0.families.isDisjoint(with: families) }.map {
      "SELECT id FROM transactions WHERE \($0.condition("BETWEEN :start AND :end"))"
    }
    guard !found.isEmpty else { return [] }
    let app = families.contains(.bought) ? ChainRecord.bundleID(ofChain: "c.id") : "NULL"
    let rows = try FetchedRow.fetchCursor(
      asking.db.cachedStatement(
        sql: """
          SELECT c.environment, \(app), x.product_id, x.purchase_date_ms, x.expires_date_ms, \(DerivedFacts.selected)
          FROM (\(found.joined(separator: " UNION "))) AS f CROSS JOIN transactions x ON x.id = f.id
            JOIN lines l ON l.id = x.line_id JOIN chains c ON c.id = l.chain_id
          WHERE NOT l.is_family_shared
          """), arguments: ["start": start, "end": end])
    var marks: [TallyMark] = []
    while let row = try rows.next() {
      guard
        let moments = DerivedFacts(row, from: 5).moments(product: row[2], purchase: row[3], expires: row[4])
      else { continue }
      marks += moments.marks(in: StoreEnvironment(row[0] as String), app: row[1]).filter {
        families.contains($0.key.family) && $0.at >= start && $0.at <= end
      }
    }
    return marks
  }
}

extension DerivedFacts {
  /// Nil for what is no row of a line.
  func moments(product: ProductID, purchase: Instant, expires: Instant?) -> RowMoments? {
    guard let kind, let expires, let effectiveEnd else { return nil }
    let price = priceMicros.flatMap { micros in currency.map { Money(micros: micros, currency: $0) } }
    return RowMoments(
      productID: product, kind: kind, purchase: purchase, expires: expires, effectiveEnd: effectiveEnd,
      price: price, arrival: arrival ?? .initial, isPastFirstYear: isPastFirstYear ?? false, outcome: outcome,
      refundedAt: refundedAt, refundReason: refundReason, isUpgraded: upgraded ?? false,
      upgradedAt: upgradedAt,
      isUpgradeConfirmed: upgradeConfirmed ?? false, upgradeDirection: upgradeDirection,
      proratedRefundMicros: proratedRefundMicros, changeDirection: changeDirection)
  }
}
