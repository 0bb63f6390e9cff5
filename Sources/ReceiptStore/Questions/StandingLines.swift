/// Lines with where they stand at an instant, as SQL: what `Line.verdict(at:)` says, as the spans keep it.
enum StandingLines {
  /// A line that has not begun is left out.
  ///
  /// - Parameters:
  ///   - t: the instant, an SQL expression.
  ///   - start: where the lines `l` and their spans `p` come from.
  ///   - filter: a condition on the start.
  static func at(
    _ t: String, from start: String = "lines l CROSS JOIN spans p ON p.line_id = l.id", filter: String = "1"
  ) -> String {
    """
    SELECT l.id AS line_id, l.chain_id, c.environment, c.original_transaction_id, l.subscription_group_id,
      l.is_family_shared, c.validated_at_ms, p.current_id, x.transaction_id, x.product_id, x.kind, x.purchase_date_ms,
      x.expires_date_ms, x.price_micros, x.currency, x.monthly_micros, r.auto_renew_status, r.auto_renew_product_id,
      \(PositionShape.intent(of: "s.reason")) AS expiration_intent, s.state,
      r.price_consent_status, r.price_increase_status,
      ifnull(p.access_end_ms, x.expires_date_ms) AS access_end_ms
    FROM \(start)
      JOIN chains c ON c.id = l.chain_id
      JOIN position_classes s ON s.id = p.position_id
      JOIN transactions x ON x.id = p.current_id
      LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    WHERE p.until_ms > \(t) AND p.from_ms <= \(t) AND \(filter)
    """
  }
}
