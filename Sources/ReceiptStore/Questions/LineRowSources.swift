import GRDB
import Subscriptions

/// The lines behind figures, with the facts that decided on their state.
extension Asking {
  /// - Parameters:
  ///   - names: the figures of a line, as SQL.
  ///   - lines: lines with their verdicts, `counted_…` columns among them where they are counted by their refunded row.
  private func lines(
    _ names: String, from lines: String, where condition: String, amount: String = "NULL",
    currency: String = "currency", counted: Bool = false
  ) -> FigureRowSource {
    let revoking = counted ? "state = 'revoked'" : "0"
    let columns = """
      \(names) AS figures, environment, original_transaction_id, subscription_group_id, chain_id,
      iif(\(revoking), revoking_transaction_id, transaction_id) AS transaction_id,
      iif(\(revoking), revoking_product_id, product_id) AS product_id,
      iif(\(revoking), revoking_kind, kind) AS kind, state, access_end_ms AS at_ms, \(amount) AS amount_micros,
      \(currency) AS currency,
      kind AS current_kind, expires_date_ms, is_live, validated_at_ms, grace_period_expires_date_ms,
      expiration_intent, revoking_cancellation_date_ms, revoking_reason, cut_short_at_ms,
      revoking_transaction_id AS refunded_transaction_id, revoking_expires_date_ms, is_in_billing_retry_period
      """
    let t = question.at
    return FigureRowSource(sql: "SELECT \(columns) FROM (\(lines)) WHERE \(condition)") { row in
      let first = FigureRowSource.reason
      guard let state = row[8] as LineState?, let kind = row[first] as PeriodKind? else { return "" }
      var facts = StateFacts(state: state, kind: kind, expires: row[first + 1], isLive: row[first + 2])
      facts.validatedAt = row[first + 3]
      facts.gracePeriodExpires = row[first + 4]
      facts.expirationIntent = (row[first + 5] as String?).map(ExpirationIntent.init)
      facts.cancellationDate = row[first + 6]
      facts.cancellationReason = row[first + 7]
      facts.goneAt = row[first + 8]
      facts.refundedTransactionID = row[first + 9]
      facts.refundedExpires = row[first + 10]
      facts.isInBillingRetryPeriod = row[first + 11]
      return "\(state.rawValue): \(facts.why(at: t))"
    }
  }

  func activeLines(names: String) -> FigureRowSource {
    lines(
      names, from: judged,
      where: "state IN ('trial', 'active', 'grace', 'overdue') AND \(product("product_id"))",
      amount: "iif(state IN ('active', 'grace'), monthly_micros, NULL)", counted: true)
  }

  func activeNames(paid: String, byKind: Bool) -> String {
    func names(_ names: [String]) -> String { FigureRowSource.names(names) }
    let autoRenew =
      "(CASE auto_renew_status WHEN 1 THEN 'renewing' WHEN 0 THEN 'auto_renew_off' ELSE 'auto_renew_unknown' END)"
    let active = names([paid] + (byKind ? ["('by_kind.' || kind)"] : []) + [autoRenew])
    return """
      CASE state WHEN 'trial' THEN \(names(["trial"])) WHEN 'overdue' THEN \(names(["overdue"]))
        WHEN 'grace' THEN \(names([paid, "grace"])) ELSE \(active) END
        || \(FigureRowSource.name("mrr", if: "state IN ('active', 'grace') AND monthly_micros IS NOT NULL"))
      """
  }

  /// Lines whose period ends soon; the amount is what a renewal is expected to cost.
  var dueLines: FigureRowSource {
    let names = DueFigures.horizons.map { days in
      let names = DueFigures.names(within: days).map { $0 + FigureRowSource.mark }
      return """
        iif(\(isDue(within: days)), '\(names[0])' || iif(auto_renew_status = 1,
          '\(names[1])' || iif(expected_micros IS NULL, '\(names[2])', ''), ''), '')
        """
    }
    return lines(
      "'\(FigureRowSource.mark)' || " + names.joined(separator: " || "),
      from: coming(within: DueFigures.horizons.max() ?? 0),
      where: "1", amount: "iif(auto_renew_status = 1, expected_micros, NULL)",
      currency: "expected_currency", counted: true)
  }

  func failingLines(_ names: String, states: String, amount: String) -> FigureRowSource {
    lines(
      names, from: judged, where: "state IN (\(states)) AND \(product("product_id"))", amount: amount,
      counted: true)
  }

  /// Lost lines with their reasons.
  ///
  /// - Parameter parts: whether also voluntary and involuntary ones are named.
  func lostLines(parts: Bool) -> FigureRowSource {
    let mark = FigureRowSource.mark
    let isPaid = "counted_kind <> 'trial'"
    let kind = "iif(\(isPaid), 'paid', 'trial')"
    let intent = "'by_intent.' || ifnull(expiration_intent, 'unknown') || '.' || \(kind) || '\(mark)'"
    let chosen = """
      CASE WHEN \(isPaid) AND expiration_intent = '1' THEN 'voluntary\(mark)'
        WHEN \(isPaid) AND expiration_intent = '2' THEN 'involuntary\(mark)' ELSE '' END
      """
    let all = "iif(state = 'revoked', 'refunded.' || \(kind) || '\(mark)', \(intent) || \(chosen))"
    let few = "iif(state = 'revoked', '', \(intent))"
    let names = "'\(mark)lost_' || \(kind) || '\(mark)' || \(parts ? all : few)"
    return lines(names, from: lost, where: "1", counted: true)
  }

  /// Lines paid at the window's start, by the row that was current then.
  func startRows(onlyLost: Bool) -> FigureRowSource {
    let lostPaid = "l.id IN (SELECT line_id FROM (\(lost)) WHERE counted_kind <> 'trial')"
    let rate = FigureRowSource.name("churn_rate", if: lostPaid)
    let all = FigureRowSource.names("active_paid_at_start") + " || " + rate
    let sql = """
      SELECT \(onlyLost ? "iif(\(lostPaid), \(FigureRowSource.names("churn_rate")), '')" : all) AS figures,
        c.environment, c.original_transaction_id, l.subscription_group_id, l.chain_id, x.transaction_id, x.product_id,
        x.kind, NULL AS state, :from AS at_ms, NULL AS amount_micros, NULL AS currency,
        x.expires_date_ms, \(lostPaid) AS is_lost
      FROM \(paidAtStart)
      """
    return FigureRowSource(sql: sql) { row in
      let first = FigureRowSource.reason
      return FigureReason.paidAtStart(
        (row[7] as PeriodKind?) ?? .standard, expires: row[first], isLost: row[first + 1])
    }
  }

  var pendingLines: FigureRowSource {
    lines(
      FigureRowSource.names("pending"), from: judged,
      where: """
        auto_renew_status = 1 AND auto_renew_product_id <> product_id
          AND state IN ('trial', 'active', 'grace', 'billing_retry') AND \(product("product_id"))
        """)
  }
}
