import GRDB
import Subscriptions

extension StoreQuery {
  func churn(_ sums: LedgerSums, _ facts: WindowFacts) throws -> ChurnFigures {
    var figures = ChurnFigures(sums, question)
    var periods: [Period?: ChurnFigures.Renewals] = [:]
    for group in facts.whole.groups(.due, question) {
      guard let due = group.kind.due else { continue }
      let period = due.period.flatMap(Period.init(parsing:))
      periods[period, default: ChurnFigures.Renewals(period: period)].count(
        due.outcome, isPending: false, by: group.rows)
    }
    for pending in try pendingPeriods() {
      let period = pending.period
      periods[period, default: ChurnFigures.Renewals(period: period)].lost -= pending.rows
      periods[period, default: ChurnFigures.Renewals(period: period)].pending += pending.rows
    }
    figures.set(renewals: periods.values)
    for group in facts.whole.groups(.trialEnd, question) {
      figures.trials.count(PeriodOutcome(rawValue: group.detail), by: group.rows)
    }
    for group in facts.whole.groups(.bought, question) {
      if let bought = group.kind.bought { figures.arrivals.count(bought.arrival, by: group.rows) }
    }
    return figures
  }

  /// Adds what became of the periods that came due: what may yet be paid for is not lost.
  func addPeriods(_ facts: WindowFacts, to trend: inout Trend) throws {
    var earlier = self
    earlier.question = question.before
    for (query, lists) in [(self, facts.stretches), (earlier, [facts.before])] {
      let isBefore = query.question.at != question.at
      var lost: [PeriodPlace: Int] = [:]
      for (stretch, sums) in lists.enumerated() {
        for group in sums.groups(.due, question) {
          guard let due = group.kind.due, due.outcome == .unrenewed else { continue }
          let period = due.period.flatMap(Period.init(parsing:))
          lost[PeriodPlace(stretch: isBefore ? nil : stretch, period: period), default: 0] += group.rows
        }
      }
      for pending in try query.pendingPeriods() {
        let place = PeriodPlace(stretch: isBefore ? nil : pending.stretch, period: pending.period)
        lost[place, default: 0] -= pending.rows
        trend.add(Int64(pending.rows), to: "\(place.path).pending", at: place.stretch)
      }
      for (place, rows) in lost where rows > 0 {
        trend.add(Int64(rows), to: "\(place.path).lost", at: place.stretch)
      }
    }
  }

  private struct PendingPeriods {
    var stretch: Int
    var period: Period?
    var rows: Int
  }

  /// METRICS §5, Renewals, Pending: periods that came due in the window, of lines that have not paid at its end.
  private func pendingPeriods() throws -> [PendingPeriods] {
    try rows(
      """
      SELECT \(question.window.stretch(ofColumn: "p.expires_ms")) AS stretch, p.due_class_id, count(*)
      FROM \(Self.unpaid) AND p.expires_ms > :from AND p.expires_ms <= :to AND p.due_class_id IS NOT NULL
      GROUP BY stretch, p.due_class_id
      """
    ).compactMap { row -> PendingPeriods? in
      let kind = try facts.kind(numbered: row[1])
      guard question.includes(kind.kind) else { return nil }
      return PendingPeriods(
        stretch: row[0], period: kind.due?.period.flatMap(Period.init(parsing:)), rows: row[2])
    }
  }

  var arrived: String {
    transactions("x.arrival IS NOT NULL AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to")
  }
}

private struct PeriodPlace: Hashable {
  /// Nil is the window before.
  var stretch: Int?
  var period: Period?

  var path: String { "renewals.\(period?.iso8601 ?? "unknown")" }
}
