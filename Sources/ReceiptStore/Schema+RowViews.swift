import Subscriptions

/// What many transactions or events have in common is stored once, in a row of shapes that each of them names: a transaction takes 61
/// bytes so, and 220 in full. The views `transactions` and `events` put it together.
extension Schema {
  /// Rows with their shapes; `transaction_row` is a number of `transaction_rows`. The shape is looked up last, whatever else is
  /// asked for.
  static let rowViews = """
    CREATE VIEW transactions AS
    SELECT r.id, r.chain_id, CAST(r.transaction_id AS TEXT) AS transaction_id,
      CAST(r.web_order_line_item_id AS TEXT) AS web_order_line_item_id, s.product_id, s.subscription_group_identifier,
      s.quantity, r.purchase_date_ms,
      nullif(ifnull(r.original_purchase_date_ms,
        (SELECT c.common_original_purchase_date_ms FROM chains c WHERE c.id = r.chain_id)),
        \(ChainCommon.noDate.rawValue)) AS original_purchase_date_ms,
      r.expires_date_ms, r.cancellation_date_ms, s.cancellation_reason, s.is_trial_period, s.is_in_intro_offer_period,
      s.is_upgraded, s.in_app_ownership_type, s.promotional_offer_id, s.offer_code_ref_name,
      nullif(ifnull(r.app_account_token, (SELECT c.common_app_account_token FROM chains c WHERE c.id = r.chain_id)),
        \(ChainCommon.noToken)) AS app_account_token,
      ifnull(r.first_observed_at_ms, (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = r.chain_id))
        AS first_observed_at_ms,
      coalesce(r.observed_at_ms, r.first_observed_at_ms,
        (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = r.chain_id)) AS observed_at_ms,
      s.is_lagging, r.line_id, r.duplicate_of, s.kind, s.price_micros, s.currency, s.monthly_micros,
      iif(s.kind IS NULL, NULL, ifnull(r.effective_end_ms, r.expires_date_ms)) AS effective_end_ms, r.refunded_at_ms,
      s.refund_reason, s.upgraded, r.upgraded_at_ms, s.upgrade_confirmed, s.upgrade_direction, s.successor_product_id,
      r.prorated_refund_micros, s.outcome, s.period, s.change_direction, r.confirmed_at_ms, s.arrival, s.is_past_first_year,
      s.changed_from_product_id, r.cancelled_at_ms, s.is_signed, s.is_price_signed, s.storefront, r.partial_refund_micros
    FROM transaction_rows r CROSS JOIN transaction_shapes s ON s.id = r.shape_id;
    CREATE VIEW events AS
    SELECT e.chain_id * \(StoredEvents.placesOfChain) + e.place AS id, e.chain_id, s.is_family_share, s.type, s.apple_type,
      s.apple_subtype, s.reason,
      iif(typeof(e.transaction_id) = 'integer',
        (SELECT CAST(x.transaction_id AS TEXT) FROM transaction_rows x WHERE x.id = e.transaction_id), e.transaction_id)
        AS transaction_id,
      s.product_id, s.new_product_id, e.app_user_id, s.period_type, s.is_trial_conversion, e.effective_at_ms,
      ifnull(e.observed_at_ms, (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = e.chain_id)) AS observed_at_ms,
      e.observed_after_ms, s.is_told_by_notification_alone, s.notification_type, e.notified_at_ms, s.flow,
      iif(typeof(e.transaction_id) = 'integer', e.transaction_id, NULL) AS transaction_row
    FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id;
    """

  /// Of an index that finds a shape by all of it.
  static func columns<Shape: StoredShape>(of shape: Shape.Type) -> String {
    shape.columns.joined(separator: ", ")
  }
}
