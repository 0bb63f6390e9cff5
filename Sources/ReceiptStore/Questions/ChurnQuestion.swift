import GRDB
import Subscriptions

extension Asking {
  func churn() throws -> ChurnFigures {
    var figures = ChurnFigures()
    for row in try rows(
      """
      SELECT state, counted_kind <> 'trial', expiration_intent, count(*) FROM (\(lost))
      GROUP BY state, counted_kind <> 'trial', expiration_intent
      """)
    {
      let (isPaid, lines) = (row[1] as Bool, row[3] as Int)
      if row[0] as LineState? == .revoked {
        figures.countRefunded(paid: isPaid, by: lines)
      } else {
        figures.countExpired((row[2] as String?).map(ExpirationIntent.init), paid: isPaid, by: lines)
      }
    }
    figures.renewals = try renewals()
    figures.trials = try trials()
    for row in try rows("SELECT x.arrival, count(*) FROM \(arrived) GROUP BY x.arrival") {
      if let arrival = row[0] as Arrival? { figures.arrivals.count(arrival, by: row[1]) }
    }
    figures.activePaidAtStart = try count("SELECT count(*) FROM (\(activePaidAtStart))")
    figures.finish(
      lostOfStart: try count(
        """
        SELECT count(*) FROM (\(lost)) AS lost JOIN (\(activePaidAtStart)) AS start ON start.line_id = lost.line_id
        WHERE counted_kind <> 'trial'
        """))
    return figures
  }

  private func count(_ sql: String) throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0
  }

  /// Lines whose access ended in the window, with the kind and product that they are counted by.
  var lost: String {
    """
    SELECT * FROM (
      SELECT *, iif(state = 'revoked', revoking_kind, kind) AS counted_kind,
        iif(state = 'revoked', revoking_product_id, product_id) AS counted_product_id
      FROM (\(judged)) WHERE state IN ('expired', 'revoked') AND access_end_ms > :from AND access_end_ms <= :to)
    WHERE \(product("counted_product_id"))
    """
  }

  var arrived: String {
    transactions("x.arrival IS NOT NULL AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to")
  }

  /// METRICS §4, Churn rate: judged from rows alone, because renewal info of that day may never have been seen.
  var activePaidAtStart: String {
    """
    SELECT l.id AS line_id FROM \(paidAtStart)
    """
  }

  var paidAtStart: String {
    """
    phases p JOIN lines l ON l.id = p.line_id JOIN chains c ON c.id = l.chain_id
      JOIN transactions x ON x.id = p.current_id
    WHERE p.until_ms > :from AND p.from_ms <= :from AND p.is_live AND x.expires_date_ms > :from
      AND x.kind <> 'trial' AND \(environment("c.environment")) AND NOT l.is_family_shared
      AND \(product("x.product_id"))
    """
  }

  private func renewals() throws -> [ChurnFigures.Renewals] {
    var periods: [Period?: ChurnFigures.Renewals] = [:]
    for row in try rows(
      """
      SELECT x.product_id, x.outcome,
        ifnull(j.current_id = x.id AND j.state IN ('grace', 'billing_retry', 'overdue'), 0) AS pending, count(*)
      FROM transactions x JOIN (\(judged)) AS j ON j.line_id = x.line_id
      WHERE x.outcome IN ('renewed', 'unrenewed') AND x.expires_date_ms > :from AND x.expires_date_ms <= :to
        AND \(product("x.product_id"))
      GROUP BY x.product_id, x.outcome, pending
      """)
    {
      let period = catalog.period(of: row[0])
      var renewals = periods[period] ?? ChurnFigures.Renewals(period: period)
      let rows: Int = row[3]
      renewals.due += rows
      if row[1] as PeriodOutcome? == .renewed {
        renewals.renewed += rows
      } else if row[2] as Bool {
        renewals.pending += rows
      } else {
        renewals.lost += rows
      }
      periods[period] = renewals
    }
    return Array(periods.values)
  }

  private func trials() throws -> ChurnFigures.Trials {
    var trials = ChurnFigures.Trials()
    let ended = transactions("x.kind = 'trial' AND x.effective_end_ms > :from AND x.effective_end_ms <= :to")
    for row in try rows("SELECT x.outcome, count(*) FROM \(ended) GROUP BY x.outcome") {
      let rows: Int = row[1]
      trials.ended += rows
      switch row[0] as PeriodOutcome? {
      case .converted?: trials.converted += rows
      case .convertedLate?: trials.convertedLate += rows
      default: break
      }
    }
    return trials
  }
}
