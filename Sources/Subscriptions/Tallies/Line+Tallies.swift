extension Line {
  /// Everything that the line adds to figures apart from the ledger.
  ///
  /// - Parameter catalog: tells what renewals would cost.
  public func marks(catalog: Catalog) -> [TallyMark] {
    guard let begun = rows.first?.purchase else { return [] }
    if isFamilyShared { return [TallyMark(begun, TallyKey(.shared, id.environment))] }
    return freshMarks + dueMarks(catalog) + rows.flatMap { $0.marks(of: self, catalog) }
  }

  private var freshMarks: [TallyMark] {
    let access = timeline.spans.filter(\.position.state.hasAccess).map { $0.from..<$0.until }
    return validatedAt.map { TallyMark.fresh(access, validatedAt: $0, in: id.environment) } ?? []
  }

  /// METRICS §5, Due: added where a period comes within the horizon, and taken off where it ends.
  private func dueMarks(_ catalog: Catalog) -> [TallyMark] {
    var marks: [TallyMark] = []
    for span in timeline.spans where span.position.state.isRunning {
      let row = rows[span.position.row]
      let renewal = span.renewal.map { renewals[$0].info }
      let isRenewing = renewal?.autoRenewStatus == true
      let next = renewal?.autoRenewProductID ?? row.productID
      let charge = isRenewing ? catalog.standardPrice(of: next, at: row.expires) : nil
      for days in DueFigures.horizons {
        let from = max(span.from, row.expires - Int64(days) * Milliseconds.day)
        let until = min(span.until, row.expires)
        guard from < until, let family = TallyFamily(dueWithin: days) else { continue }
        let key = TallyKey(
          family, id.environment, product: row.productID, detail: isRenewing ? "1" : "0",
          currency: charge?.currency)
        let value = TallyValue(count: 1, micros: charge?.micros ?? 0)
        marks += [TallyMark(from, key, value), TallyMark(until, key, -value)]
      }
    }
    return marks
  }
}

extension TallyMark {
  /// METRICS §4, Freshness.
  ///
  /// - Parameter access: when a line has access, in order of time.
  public static func fresh(
    _ access: [Range<Instant>], validatedAt: Instant, in environment: StoreEnvironment
  ) -> [TallyMark] {
    let key = TallyKey(.fresh, environment)
    let stale = validatedAt + Milliseconds.day
    var spells: [Range<Instant>] = []
    for range in access where range.lowerBound < stale {
      if let last = spells.last, last.upperBound == range.lowerBound {
        spells[spells.count - 1] = last.lowerBound..<range.upperBound
      } else {
        spells.append(range)
      }
    }
    return spells.flatMap { spell in
      [
        TallyMark(spell.lowerBound, key),
        TallyMark(min(spell.upperBound, stale), key, TallyValue(count: -1)),
      ]
    }
  }
}

extension LineState {
  /// METRICS §3, the column *access*.
  public var hasAccess: Bool { self == .trial || self == .active || self == .grace }
  /// Whether a period of the line runs.
  public var isRunning: Bool { self == .trial || self == .active }
}
