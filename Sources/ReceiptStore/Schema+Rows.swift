import Subscriptions

/// Of migration 6: what many transactions or events tell alike is told once, in a row of shapes that each of them names.
///
/// Told in full a transaction took 220 bytes, and takes 61 so. The views `transactions` and `events` put it together.
extension Schema {
  /// Ids are numbers where they are decimals (`StoredID`). `effective_end_ms` is null where it is `expires_date_ms` and the row
  /// no trial's, `observed_at_ms` where it is `first_observed_at_ms`; and what the chain has in common (`ChainCommon`) is null.
  /// Rows that are derived are not said to refer to anything: to look each of them up would take long.
  static let rows = """
    ALTER TABLE chains ADD COLUMN common_observed_at_ms INTEGER;
    ALTER TABLE chains ADD COLUMN common_original_purchase_date_ms INTEGER;
    ALTER TABLE chains ADD COLUMN common_app_account_token TEXT;
    CREATE TABLE transaction_shapes (
      id INTEGER PRIMARY KEY,
      product_id TEXT NOT NULL,
      subscription_group_identifier TEXT,
      quantity INTEGER NOT NULL,
      cancellation_reason TEXT,
      is_trial_period INTEGER NOT NULL,
      is_in_intro_offer_period INTEGER NOT NULL,
      is_upgraded INTEGER NOT NULL,
      in_app_ownership_type TEXT NOT NULL,
      promotional_offer_id TEXT,
      offer_code_ref_name TEXT,
      is_lagging INTEGER NOT NULL,
      kind TEXT,
      price_micros INTEGER,
      currency TEXT,
      monthly_micros INTEGER,
      refund_reason TEXT,
      upgraded INTEGER,
      upgrade_confirmed INTEGER,
      upgrade_direction TEXT,
      successor_product_id TEXT,
      outcome TEXT,
      change_direction TEXT,
      arrival TEXT,
      is_past_first_year INTEGER,
      changed_from_product_id TEXT
    ) STRICT;
    CREATE INDEX transaction_shapes_alike ON transaction_shapes (\(columns(of: TransactionShape.self)));
    CREATE TABLE transaction_rows (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      line_id INTEGER,
      shape_id INTEGER NOT NULL,
      transaction_id ANY NOT NULL,
      web_order_line_item_id ANY,
      purchase_date_ms INTEGER NOT NULL,
      expires_date_ms INTEGER,
      effective_end_ms INTEGER,
      original_purchase_date_ms INTEGER,
      app_account_token ANY,
      first_observed_at_ms INTEGER,
      observed_at_ms INTEGER,
      confirmed_at_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancelled_at_ms INTEGER,
      refunded_at_ms INTEGER,
      upgraded_at_ms INTEGER,
      prorated_refund_micros INTEGER,
      duplicate_of INTEGER
    ) STRICT;
    CREATE TABLE event_shapes (
      id INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      apple_type TEXT NOT NULL,
      apple_subtype TEXT,
      reason TEXT,
      product_id TEXT NOT NULL,
      new_product_id TEXT,
      period_type TEXT,
      is_trial_conversion INTEGER NOT NULL,
      is_family_share INTEGER NOT NULL,
      is_told_by_notification_alone INTEGER NOT NULL,
      notification_type TEXT
    ) STRICT;
    CREATE INDEX event_shapes_alike ON event_shapes (\(columns(of: EventShape.self)));
    CREATE TABLE event_rows (
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      place INTEGER NOT NULL,
      shape_id INTEGER NOT NULL,
      transaction_id ANY,
      effective_at_ms INTEGER NOT NULL,
      observed_at_ms INTEGER,
      observed_after_ms INTEGER,
      app_user_id TEXT,
      notified_at_ms INTEGER,
      PRIMARY KEY (chain_id, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE transaction_changes_6 (
      transaction_id INTEGER NOT NULL REFERENCES transaction_rows (id),
      observed_at_ms INTEGER NOT NULL,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_upgraded INTEGER NOT NULL,
      through_ms INTEGER,
      is_lagging INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (transaction_id, observed_at_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE partial_sightings_6 (
      transaction_id INTEGER NOT NULL REFERENCES transaction_rows (id),
      observed_at_ms INTEGER NOT NULL,
      through_ms INTEGER,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_upgraded INTEGER NOT NULL,
      is_lagging INTEGER NOT NULL,
      PRIMARY KEY (transaction_id, observed_at_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE phases_6 (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      current_id INTEGER NOT NULL,
      is_live INTEGER NOT NULL,
      revoking_id INTEGER,
      renewal_info_id INTEGER,
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    """

  /// Those that the rows of a line are found by are told the chain as well, so that they need none of their own.
  static let rowIndexes = """
    CREATE UNIQUE INDEX transactions_id ON transaction_rows (transaction_id, chain_id);
    CREATE INDEX transactions_order ON transaction_rows (web_order_line_item_id)
      WHERE web_order_line_item_id IS NOT NULL;
    CREATE INDEX transactions_purchase ON transaction_rows (purchase_date_ms) WHERE line_id IS NOT NULL;
    CREATE INDEX transactions_expires ON transaction_rows (expires_date_ms) WHERE line_id IS NOT NULL;
    CREATE INDEX transactions_effective_end ON transaction_rows (effective_end_ms) WHERE effective_end_ms IS NOT NULL;
    CREATE INDEX transactions_refunded ON transaction_rows (refunded_at_ms) WHERE refunded_at_ms IS NOT NULL;
    CREATE INDEX transactions_upgraded ON transaction_rows (upgraded_at_ms) WHERE upgraded_at_ms IS NOT NULL;
    CREATE INDEX transactions_cancelled ON transaction_rows (cancelled_at_ms)
      WHERE cancelled_at_ms IS NOT NULL AND expires_date_ms IS NULL;
    CREATE INDEX events_effective ON event_rows (effective_at_ms);
    CREATE INDEX events_observed ON event_rows (observed_at_ms) WHERE observed_at_ms IS NOT NULL;
    CREATE INDEX phases_until ON phases (until_ms, from_ms);
    """

  /// What was a table, and what conditions that an index is to serve speak of besides: `stored_end_ms` is that of a trial, and
  /// `transaction_row` a number of `transaction_rows`. The shape is looked up last, whatever else is asked for.
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
      r.prorated_refund_micros, s.outcome, s.change_direction, r.confirmed_at_ms, s.arrival, s.is_past_first_year,
      s.changed_from_product_id, r.cancelled_at_ms, r.effective_end_ms AS stored_end_ms
    FROM transaction_rows r CROSS JOIN transaction_shapes s ON s.id = r.shape_id;
    CREATE VIEW events AS
    SELECT e.chain_id * \(StoredEvents.placesOfChain) + e.place AS id, e.chain_id, s.is_family_share, s.type, s.apple_type,
      s.apple_subtype, s.reason,
      iif(typeof(e.transaction_id) = 'integer',
        (SELECT CAST(x.transaction_id AS TEXT) FROM transaction_rows x WHERE x.id = e.transaction_id), e.transaction_id)
        AS transaction_id,
      s.product_id, s.new_product_id, e.app_user_id, s.period_type, s.is_trial_conversion, e.effective_at_ms,
      ifnull(e.observed_at_ms, (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = e.chain_id)) AS observed_at_ms,
      e.observed_after_ms, s.is_told_by_notification_alone, s.notification_type, e.notified_at_ms,
      iif(typeof(e.transaction_id) = 'integer', e.transaction_id, NULL) AS transaction_row
    FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id;
    """

  private static func columns<Shape: StoredShape>(of shape: Shape.Type) -> String {
    shape.columns.joined(separator: ", ")
  }
}
