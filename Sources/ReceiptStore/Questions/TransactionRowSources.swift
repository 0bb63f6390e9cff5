import GRDB
import Subscriptions

/// The transactions behind figures, with the fields that decided.
extension StoreQuery {
  private func transactions(
    _ names: String, from source: String, at: String, amount: String = "NULL",
    reason: [String], why: @escaping (FetchedRow, Int) -> String
  ) -> FigureRowSource {
    let columns = """
      \(names) AS figures, c.environment, c.original_transaction_id, l.subscription_group_id, l.chain_id,
      x.transaction_id, x.product_id, x.kind, NULL AS state, \(at) AS at_ms, \(amount) AS amount_micros,
      x.currency,
      \(reason.enumerated().map { "\($1) AS reason\($0)" }.joined(separator: ", "))
      """
    return FigureRowSource(sql: "SELECT \(columns) FROM \(source)") { why($0, FigureRowSource.reason) }
  }

  private func window(_ column: String) -> String { "\(column) > :from AND \(column) <= :to" }

  // MARK: Churn

  /// Paid periods that came due.
  var dueRows: FigureRowSource {
    let t = question.at
    let isPending = """
      EXISTS (SELECT 1 FROM spans p WHERE p.line_id = x.line_id AND p.current_id = x.id AND p.expires_ms IS NOT NULL
        AND p.from_ms <= :t AND p.until_ms > :t)
      """
    let result =
      "iif(x.outcome IN ('renewed', 'recovered'), x.outcome, iif(\(isPending), 'pending', 'lost'))"
    let period = "ifnull(x.period, 'unknown')"
    let due = transactions(
      "x.outcome IN ('renewed', 'recovered', 'unrenewed') AND \(window("x.expires_date_ms"))")
    return transactions(
      FigureRowSource.names(
        "('renewals.' || \(period) || '.due')", "('renewals.' || \(period) || '.' || \(result))"),
      from: due, at: "x.expires_date_ms", reason: [result]
    ) { row, first in FigureReason.due(row[first], expires: row[9], at: t) }
  }

  var endedTrials: FigureRowSource {
    let t = question.at
    let names = """
      \(FigureRowSource.names("trials.ended")) || \(FigureRowSource.name("trials.converted", if: "x.outcome = 'converted'"))
        || \(FigureRowSource.name("trials.converted_late", if: "x.outcome = 'converted_late'"))
      """
    return transactions(
      names,
      from: transactions("x.kind = 'trial' AND x.outcome IS NOT NULL AND \(window("x.stored_end_ms"))"),
      at: "x.effective_end_ms",
      reason: ["x.outcome"]
    ) { row, first in
      FigureReason.trialEnd(row[first] as PeriodOutcome? ?? .unconverted, end: row[9], at: t)
    }
  }

  var arrivedRows: FigureRowSource {
    let t = question.at
    return transactions(
      FigureRowSource.names("('arrivals.' || x.arrival)"), from: arrived, at: "x.purchase_date_ms",
      reason: ["x.arrival"]
    ) { row, first in FigureReason.arrival(row[first] as Arrival? ?? .initial, purchase: row[9], at: t) }
  }

  // MARK: Refunds

  static let refundNames: String = {
    let reason = "CASE x.refund_reason WHEN '1' THEN 'app_issue' WHEN '0' THEN 'other' ELSE 'unknown' END"
    let priced = "(iif(x.price_micros IS NULL, 'unpriced', 'amount'))"
    return FigureRowSource.names("count", "('by_reason.' || \(reason))", priced)
  }()

  func refundedRows(_ names: String) -> FigureRowSource {
    let t = question.at
    return transactions(
      names, from: transactions(window("x.refunded_at_ms")), at: "x.refunded_at_ms", amount: "x.price_micros",
      reason: ["x.refund_reason"]
    ) { row, first in FigureReason.refund(cancelled: row[9], reason: row[first], at: t) }
  }

  var cohortRows: FigureRowSource {
    let t = question.at
    let names = """
      \(FigureRowSource.names("cohort.paid_transactions"))
        || \(FigureRowSource.name("cohort.refunded", if: "ifnull(x.refunded_at_ms <= :t, 0)"))
      """
    return transactions(names, from: sold, at: "x.purchase_date_ms", reason: ["x.refunded_at_ms"]) {
      row, first in
      FigureReason.bought(row[9], refunded: row[first], at: t)
    }
  }

  var oneTimeRefundRows: FigureRowSource {
    let t = question.at
    let sql = """
      SELECT \(FigureRowSource.names("one_time")) AS figures, c.environment, c.original_transaction_id,
        NULL AS subscription_group_id, x.chain_id, x.transaction_id, x.product_id, 'one_time' AS kind, NULL AS state,
        x.cancelled_at_ms AS at_ms, NULL AS amount_micros, NULL AS currency,
        x.refund_reason
      FROM \(refundedOneTime)
      """
    return FigureRowSource(sql: sql) {
      FigureReason.refund(cancelled: $0[9], reason: $0[FigureRowSource.reason], at: t)
    }
  }

  // MARK: Upgrades

  static let upgradeNames: String = {
    let direction = "iif(x.upgrade_direction IN ('upgrade', 'crossgrade'), x.upgrade_direction, 'unranked')"
    let dated = "(iif(x.upgrade_confirmed, 'confirmed', 'estimated'))"
    let priced = "(iif(x.prorated_refund_micros IS NULL, 'unpriced', 'prorated_refund'))"
    return FigureRowSource.names("('immediate.' || \(direction))", dated, priced)
  }()

  func upgradedRows(_ names: String) -> FigureRowSource {
    upgradeRows(
      names, from: transactions("x.upgraded = 1 AND \(window("x.upgraded_at_ms"))"), at: "x.upgraded_at_ms",
      amount: "x.prorated_refund_micros")
  }

  var undatedRows: FigureRowSource {
    upgradeRows(
      FigureRowSource.names("undated"),
      from: transactions("x.upgraded AND x.upgraded_at_ms IS NULL AND \(window("x.purchase_date_ms"))"),
      at: "x.purchase_date_ms", amount: "NULL")
  }

  private func upgradeRows(
    _ names: String, from source: String, at: String, amount: String
  ) -> FigureRowSource {
    let t = question.at
    let first = FigureRowSource.reason
    func proration(_ row: FetchedRow) -> Proration? {
      guard row[7] as PeriodKind? != .trial, let instant = row[first] as Instant?,
        let price = row.money(micros: first + 2, currency: 11)
      else { return nil }
      return Proration(price: price, purchase: row[first + 3], expires: row[first + 4], upgrade: instant)
    }
    var source = transactions(
      names, from: source, at: at, amount: amount,
      reason: [
        "x.upgraded_at_ms", "x.cancelled_at_ms", "x.price_micros", "x.purchase_date_ms", "x.expires_date_ms",
      ]
    ) { row, first in
      FigureReason.upgrade(
        instant: row[first], cancelled: row[first + 1], kind: (row[7] as PeriodKind?) ?? .standard,
        proration: proration(row), at: t)
    }
    source.proration = proration
    return source
  }

  var changedRows: FigureRowSource {
    let t = question.at
    return transactions(
      FigureRowSource.names(
        "('at_renewal.' || iif(x.change_direction IN ('downgrade', 'crossgrade'), x.change_direction, 'unranked'))"
      ),
      from: transactions("x.change_direction IS NOT NULL AND \(window("x.purchase_date_ms"))"),
      at: "x.purchase_date_ms", reason: ["x.changed_from_product_id"]
    ) { row, first in FigureReason.change(from: row[first], at: t, purchase: row[9]) }
  }

  // MARK: Sales

  var soldRows: FigureRowSource {
    let t = question.at
    let names = """
      \(FigureRowSource.names("sales.transactions"))
        || iif(x.price_micros IS NULL, 'sales.unpriced\(FigureRowSource.mark)',
          'sales.amount\(FigureRowSource.mark)sales.proceeds\(FigureRowSource.mark)')
        || iif(x.is_past_first_year, 'sales.after_one_year\(FigureRowSource.mark)',
          iif(\(isSmallBusiness), 'sales.small_business\(FigureRowSource.mark)', ''))
      """
    var source = transactions(
      names, from: sold, at: "x.purchase_date_ms", amount: "x.price_micros",
      reason: ["x.is_past_first_year", isSmallBusiness]
    ) { row, first in
      FigureReason.sale(
        purchase: row[9], isPastFirstYear: row[first], isSmallBusiness: row[first + 1], at: t)
    }
    source.proceeds = { row in
      let first = FigureRowSource.reason
      let commission: Commission = row[first] as Bool || row[first + 1] as Bool ? .reduced : .standard
      return row.money(micros: 10, currency: 11).map(commission.proceeds)
    }
    return source
  }
}
