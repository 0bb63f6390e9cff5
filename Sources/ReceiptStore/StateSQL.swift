import Subscriptions

/// METRICS §3 in SQL, over phases: the same rules in the same order as `Phase.state(at:renewal:validatedAt:)`.
enum StateSQL {
  /// Lines with their verdict at an instant, given as an SQL expression. A line that has not begun is left out.
  ///
  /// The open phases are found in `phases_until`, so that the past costs nothing.
  ///
  /// - Parameters:
  ///   - start: where the lines `l` and their phases `p` come from, and what `t` needs besides.
  ///   - columns: further ones, of the start.
  ///   - filter: a condition on the start.
  static func judgedLines(
    at t: String, from start: String = "phases p JOIN lines l ON l.id = p.line_id", columns: String = "",
    filter: String = "1"
  ) -> String {
    """
    SELECT \(columns)l.id AS line_id, l.chain_id, c.environment, c.original_transaction_id, l.subscription_group_id,
      l.is_family_shared, c.validated_at_ms, x.id AS current_id, x.transaction_id, x.product_id, x.kind,
      x.purchase_date_ms,
      x.expires_date_ms, x.price_micros, x.currency, x.monthly_micros, r.auto_renew_status,
      r.auto_renew_product_id, iif(\(isCutShort(at: t)), NULL, r.expiration_intent) AS expiration_intent,
      r.price_consent_status, p.is_live,
      iif(\(isCutShort(at: t)), NULL, r.grace_period_expires_date_ms) AS grace_period_expires_date_ms,
      iif(\(isCutShort(at: t)), c.gone_at_ms, NULL) AS cut_short_at_ms,
      s.kind AS revoking_kind, s.product_id AS revoking_product_id, CAST(y.transaction_id AS TEXT) AS revoking_transaction_id,
      y.cancelled_at_ms AS revoking_cancellation_date_ms, s.refund_reason AS revoking_reason,
      y.expires_date_ms AS revoking_expires_date_ms,
      iif(\(isCutShort(at: t)), NULL, r.is_in_billing_retry_period) AS is_in_billing_retry_period,
      \(state(at: t)) AS state,
      CASE WHEN \(isRevoked(at: t)) THEN ifnull(y.effective_end_ms, y.expires_date_ms)
        WHEN \(isCutShort(at: t)) THEN x.expires_date_ms
        ELSE max(x.expires_date_ms, ifnull(r.grace_period_expires_date_ms, x.expires_date_ms)) END AS access_end_ms
    FROM \(start)
      JOIN chains c ON c.id = l.chain_id
      JOIN transactions x ON x.id = p.current_id
      LEFT JOIN transaction_rows y ON y.id = p.revoking_id
      LEFT JOIN transaction_shapes s ON s.id = y.shape_id
      LEFT JOIN renewal_infos r ON r.id = iif(c.validated_at_ms <= \(t), p.renewal_info_id, \(renewalInfo(by: t)))
    WHERE p.until_ms > \(t) AND p.from_ms <= \(t) AND \(filter)
    """
  }

  /// METRICS §2, Renewal info P, for an instant before the last validation.
  private static func renewalInfo(by t: String) -> String {
    """
    ifnull(
          (SELECT max(o.id) FROM renewal_infos o WHERE o.chain_id = l.chain_id AND o.product_id = x.product_id
            AND o.observed_at_ms = (SELECT max(m.observed_at_ms) FROM renewal_infos m
              WHERE m.chain_id = l.chain_id AND m.observed_at_ms <= \(t))),
          (SELECT o.id FROM renewal_infos o WHERE o.chain_id = l.chain_id AND o.observed_at_ms <= \(t)
            ORDER BY o.observed_at_ms DESC, o.id DESC LIMIT 1))
    """
  }

  private static func state(at t: String) -> String {
    """
    CASE
        WHEN \(isRunning(at: t)) THEN iif(x.kind = 'trial', 'trial', 'active')
        WHEN \(isCutShort(at: t)) THEN iif(p.revoking_id IS NULL, 'expired', 'revoked')
        WHEN \(isOverdue) THEN 'overdue'
        WHEN \(isInGrace(at: t)) THEN 'grace'
        WHEN \(isInBillingRetry(at: t)) THEN 'billing_retry'
        WHEN p.revoking_id IS NOT NULL THEN 'revoked'
        ELSE 'expired' END
    """
  }

  private static func isRunning(at t: String) -> String { "(p.is_live AND \(t) < x.expires_date_ms)" }

  private static let isOverdue =
    "(p.is_live AND (c.validated_at_ms IS NULL OR c.validated_at_ms < x.expires_date_ms))"

  private static func isInGrace(at t: String) -> String {
    "(p.is_live AND ifnull(r.grace_period_expires_date_ms, 0) > \(t))"
  }

  private static func isInBillingRetry(at t: String) -> String {
    """
    (p.is_live AND ifnull(r.is_in_billing_retry_period, 0)
          AND \(t) < x.expires_date_ms + \(billingRetryMilliseconds))
    """
  }

  /// Rules 3 to 5, for a line that has expired.
  private static func isOpen(at t: String) -> String {
    "(\(isOverdue) OR \(isInGrace(at: t)) OR \(isInBillingRetry(at: t)))"
  }

  /// METRICS §1.6: rules 3 to 5 do not hold where the account is gone.
  private static func isCutShort(at t: String) -> String {
    """
    (c.gone_at_ms IS NOT NULL AND c.gone_at_ms <= \(t) AND c.gone_at_ms > ifnull(c.validated_at_ms, c.gone_at_ms - 1)
          AND NOT \(isRunning(at: t)) AND \(isOpen(at: t)))
    """
  }

  /// Rule 6, where none before it matches.
  private static func isRevoked(at t: String) -> String {
    """
    (p.revoking_id IS NOT NULL AND NOT \(isRunning(at: t)) AND (\(isCutShort(at: t)) OR NOT \(isOpen(at: t))))
    """
  }
}
