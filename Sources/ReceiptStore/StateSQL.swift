import Subscriptions

/// METRICS §3 in SQL, over phases: the same rules in the same order as `Phase.state(at:renewal:validatedAt:)`.
enum StateSQL {
  /// Lines with their verdict at an instant, given as an SQL expression. A line that has not begun is left out.
  ///
  /// The open phases are found in `phases_until`, so that the past costs nothing.
  ///
  /// - Parameter ofChains: only the lines of the chains of the receipt `:receipt`.
  static func judgedLines(at t: String, ofChains: Bool = false) -> String {
    let start =
      ofChains
      ? "receipt_chains k JOIN lines l ON l.chain_id = k.chain_id JOIN phases p ON p.line_id = l.id"
      : "phases p JOIN lines l ON l.id = p.line_id"
    let filter = ofChains ? " AND k.receipt_id = :receipt" : ""
    return """
      SELECT l.id AS line_id, l.chain_id, c.environment, c.original_transaction_id, l.subscription_group_id,
        l.is_family_shared, c.validated_at_ms, x.id AS current_id, x.product_id, x.kind, x.purchase_date_ms,
        x.expires_date_ms, x.price_micros, x.currency, x.monthly_micros, r.auto_renew_status,
        r.auto_renew_product_id, r.expiration_intent, r.price_consent_status,
        y.kind AS revoking_kind, y.product_id AS revoking_product_id,
        \(state(at: t)) AS state,
        CASE WHEN \(isRevoked(at: t)) THEN y.effective_end_ms
          ELSE max(x.expires_date_ms, ifnull(r.grace_period_expires_date_ms, x.expires_date_ms)) END AS access_end_ms
      FROM \(start)
        JOIN chains c ON c.id = l.chain_id
        JOIN transactions x ON x.id = p.current_id
        LEFT JOIN transactions y ON y.id = p.revoking_id
        LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
      WHERE p.until_ms > \(t) AND p.from_ms <= \(t)\(filter)
      """
  }

  private static func state(at t: String) -> String {
    """
    CASE
        WHEN p.is_live AND \(t) < x.expires_date_ms THEN iif(x.kind = 'trial', 'trial', 'active')
        WHEN \(isOverdue(at: t)) THEN 'overdue'
        WHEN \(isInGrace(at: t)) THEN 'grace'
        WHEN \(isInBillingRetry(at: t)) THEN 'billing_retry'
        WHEN p.revoking_id IS NOT NULL THEN 'revoked'
        ELSE 'expired' END
    """
  }

  private static func isOverdue(at t: String) -> String {
    "p.is_live AND (c.validated_at_ms IS NULL OR c.validated_at_ms < x.expires_date_ms)"
  }

  private static func isInGrace(at t: String) -> String {
    "p.is_live AND ifnull(r.grace_period_expires_date_ms, 0) > \(t)"
  }

  private static func isInBillingRetry(at t: String) -> String {
    "p.is_live AND r.is_in_billing_retry_period = 1 AND \(t) < x.expires_date_ms + \(billingRetryMilliseconds)"
  }

  /// Rules 1 to 5 have not matched and rule 6 does.
  private static func isRevoked(at t: String) -> String {
    """
    p.revoking_id IS NOT NULL AND NOT (p.is_live AND \(t) < x.expires_date_ms)
        AND NOT (\(isOverdue(at: t))) AND NOT (\(isInGrace(at: t))) AND NOT (ifnull(\(isInBillingRetry(at: t)), 0))
    """
  }
}
