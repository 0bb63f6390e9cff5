import GRDB
import Subscriptions

extension Asking {
  func churn() throws -> ChurnFigures {
    var figures = ChurnFigures()
    let losses = try losses()
    for loss in losses {
      if loss.detail.isRevoked {
        figures.countRefunded(paid: loss.detail.isPaid, by: loss.lines)
      } else {
        figures.countExpired(loss.detail.intent, paid: loss.detail.isPaid, by: loss.lines)
      }
    }
    figures.renewals = try renewals()
    figures.trials = try trials()
    if let tallied {
      tallied.arrivals(question).forEach { figures.arrivals.count($0, by: $1) }
      figures.activePaidAtStart = tallied.activePaidAtStart(question)
      figures.finish(lostOfStart: tallied.lostOfStart)
      return figures
    }
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

  private func losses() throws -> [LossGroup] {
    if let tallied {
      return tallied.losses.compactMap { group in
        group.place.loss.map { LossGroup(detail: $0, lines: group.lines) }
      }
    }
    return try rows(
      """
      SELECT state, counted_kind <> 'trial', expiration_intent, count(*) FROM (\(lost))
      GROUP BY state, counted_kind <> 'trial', expiration_intent
      """
    ).map { row in
      LossGroup(
        detail: LossDetail(
          isRevoked: row[0] as LineState? == .revoked, isPaid: row[1],
          intent: (row[2] as String?).map(ExpirationIntent.init)), lines: row[3])
    }
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
    if let tallied {
      for group in tallied.renewals(question) {
        let period = catalog.period(of: group.product)
        var renewals = periods[period] ?? ChurnFigures.Renewals(period: period)
        renewals.due += group.due
        renewals.renewed += group.renewed
        renewals.pending += group.pending
        renewals.lost += group.due - group.renewed - group.pending
        periods[period] = renewals
      }
      return Array(periods.values)
    }
    for row in try rows(
      """
      SELECT x.product_id, x.outcome,
        ifnull(j.current_id = x.id AND j.state IN ('grace', 'billing_retry', 'overdue'), 0) AS pending, count(*)
      FROM transactions x JOIN (\(judged)) AS j ON j.chain_id = x.chain_id AND j.line_id = x.line_id
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
    if let tallied {
      for (outcome, rows) in tallied.trialEnds(question) { trials.count(outcome, by: rows) }
      return trials
    }
    let ended = transactions(
      "x.kind = 'trial' AND x.outcome IS NOT NULL AND x.stored_end_ms > :from AND x.stored_end_ms <= :to"
    )
    for row in try rows("SELECT x.outcome, count(*) FROM \(ended) GROUP BY x.outcome") {
      trials.count(row[0], by: row[1])
    }
    return trials
  }
}

/// Lost lines that count alike.
private struct LossGroup {
  var detail: LossDetail
  var lines: Int
}

extension ChurnFigures.Trials {
  fileprivate mutating func count(_ outcome: PeriodOutcome?, by rows: Int) {
    ended += rows
    switch outcome {
    case .converted?: converted += rows
    case .convertedLate?: convertedLate += rows
    default: break
    }
  }
}
