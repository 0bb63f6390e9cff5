/// What a store was under schema 5: its own tables, indexes and views, word for word, with the rows of a store of today.
enum Schema5 {
  /// Takes what schema 6 brought away again. The tables of transactions and events are filled from the views that tell
  /// what they held.
  static let statements = [taken, tables, filled, indexes, views].joined(separator: "\n")

  private static let taken = """
    CREATE TEMP TABLE kept_transactions AS SELECT * FROM v_transactions;
    CREATE TEMP TABLE kept_events AS SELECT * FROM v_events;
    DROP VIEW v_transactions; DROP VIEW v_refunds; DROP VIEW v_upgrades; DROP VIEW v_events; DROP VIEW v_lines;
    DROP VIEW transactions; DROP VIEW events;
    DROP INDEX lines_renewed_ahead;
    ALTER TABLE lines DROP COLUMN renewed_ahead_at_ms;
    DROP TABLE turns;
    CREATE TABLE turns (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      anchor_ms INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      key_id INTEGER NOT NULL REFERENCES tally_keys (id),
      sign INTEGER NOT NULL,
      is_told INTEGER NOT NULL,
      paid_from_ms INTEGER,
      paid_until_ms INTEGER,
      paid_before_ms INTEGER,
      looked_in INTEGER NOT NULL,
      PRIMARY KEY (line_id, anchor_ms, at_ms, key_id, sign)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX turns_anchor ON turns (anchor_ms);
    CREATE INDEX turns_told ON turns (key_id, at_ms, anchor_ms, sign) WHERE is_told;
    CREATE INDEX turns_month ON turns (key_id, anchor_ms, at_ms) WHERE looked_in IN (1, 3);
    CREATE INDEX turns_year ON turns (key_id, anchor_ms, at_ms) WHERE looked_in IN (2, 3);
    CREATE INDEX failing_holders_from ON failing_holders (from_ms);
    CREATE INDEX failing_holders_until ON failing_holders (until_ms);
    """

  private static let tables = """
    CREATE TABLE transactions (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      transaction_id TEXT NOT NULL,
      web_order_line_item_id TEXT,
      product_id TEXT NOT NULL,
      subscription_group_identifier TEXT,
      quantity INTEGER NOT NULL,
      purchase_date_ms INTEGER NOT NULL,
      original_purchase_date_ms INTEGER,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_trial_period INTEGER NOT NULL,
      is_in_intro_offer_period INTEGER NOT NULL,
      is_upgraded INTEGER NOT NULL,
      in_app_ownership_type TEXT NOT NULL,
      promotional_offer_id TEXT,
      offer_code_ref_name TEXT,
      app_account_token TEXT,
      first_observed_at_ms INTEGER NOT NULL,
      observed_at_ms INTEGER NOT NULL,
      is_lagging INTEGER NOT NULL,
      line_id INTEGER REFERENCES lines (id),
      duplicate_of INTEGER REFERENCES transactions (id),
      kind TEXT,
      price_micros INTEGER,
      currency TEXT,
      monthly_micros INTEGER,
      effective_end_ms INTEGER,
      refunded_at_ms INTEGER,
      refund_reason TEXT,
      upgraded INTEGER,
      upgraded_at_ms INTEGER,
      upgrade_confirmed INTEGER,
      upgrade_direction TEXT,
      successor_product_id TEXT,
      prorated_refund_micros INTEGER,
      outcome TEXT,
      change_direction TEXT, confirmed_at_ms INTEGER, arrival TEXT, is_past_first_year INTEGER, changed_from_product_id TEXT, cancelled_at_ms INTEGER,
      UNIQUE (transaction_id, chain_id)
    ) STRICT;
    CREATE TABLE transaction_changes_5 (
      transaction_id INTEGER NOT NULL REFERENCES transactions (id),
      observed_at_ms INTEGER NOT NULL,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_upgraded INTEGER NOT NULL, through_ms INTEGER, is_lagging INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (transaction_id, observed_at_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE partial_sightings_5 (
      transaction_id INTEGER NOT NULL REFERENCES transactions (id),
      observed_at_ms INTEGER NOT NULL,
      through_ms INTEGER,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_upgraded INTEGER NOT NULL,
      is_lagging INTEGER NOT NULL,
      PRIMARY KEY (transaction_id, observed_at_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE phases_5 (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      current_id INTEGER NOT NULL REFERENCES transactions (id),
      is_live INTEGER NOT NULL,
      revoking_id INTEGER REFERENCES transactions (id),
      renewal_info_id INTEGER REFERENCES renewal_infos (id),
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      is_family_share INTEGER NOT NULL,
      type TEXT NOT NULL,
      apple_type TEXT,
      apple_subtype TEXT,
      reason TEXT,
      transaction_id TEXT,
      product_id TEXT,
      new_product_id TEXT,
      app_user_id TEXT,
      period_type TEXT,
      is_trial_conversion INTEGER NOT NULL,
      effective_at_ms INTEGER NOT NULL,
      observed_at_ms INTEGER NOT NULL,
      observed_after_ms INTEGER,
      is_told_by_notification_alone INTEGER NOT NULL,
      notification_type TEXT,
      notified_at_ms INTEGER
    ) STRICT;
    """

  /// `apple_type`, `product_id` and `period_type` were null where the rest told them.
  private static let filled = """
    INSERT INTO transactions (id, chain_id, transaction_id, web_order_line_item_id, product_id, subscription_group_identifier, quantity,
      purchase_date_ms, original_purchase_date_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_trial_period,
      is_in_intro_offer_period, is_upgraded, in_app_ownership_type, promotional_offer_id, offer_code_ref_name,
      app_account_token, first_observed_at_ms, observed_at_ms, is_lagging, line_id, duplicate_of, kind, price_micros, currency,
      monthly_micros, effective_end_ms, refunded_at_ms, refund_reason, upgraded, upgraded_at_ms, upgrade_confirmed,
      upgrade_direction, successor_product_id, prorated_refund_micros, outcome, change_direction, confirmed_at_ms, arrival,
      is_past_first_year, changed_from_product_id, cancelled_at_ms)
    SELECT id, chain_id, transaction_id, web_order_line_item_id, product_id, subscription_group_identifier, quantity,
      purchase_date_ms, original_purchase_date_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_trial_period,
      is_in_intro_offer_period, is_upgraded, in_app_ownership_type, promotional_offer_id, offer_code_ref_name,
      app_account_token, first_observed_at_ms, observed_at_ms, is_lagging, line_id, duplicate_of, kind, price_micros, currency,
      monthly_micros, effective_end_ms, refunded_at_ms, refund_reason, upgraded, upgraded_at_ms, upgrade_confirmed,
      upgrade_direction, successor_product_id, prorated_refund_micros, outcome, change_direction, confirmed_at_ms, arrival,
      is_past_first_year, changed_from_product_id, cancelled_at_ms
    FROM kept_transactions;
    INSERT INTO events (chain_id, is_family_share, type, apple_type, apple_subtype, reason, transaction_id,
      product_id, new_product_id, app_user_id, period_type, is_trial_conversion, effective_at_ms, observed_at_ms,
      observed_after_ms, is_told_by_notification_alone, notification_type, notified_at_ms)
    SELECT chain_id, is_family_share, type, apple_type, apple_subtype, reason, transaction_id,
      product_id, new_product_id, app_user_id, period_type, is_trial_conversion, effective_at_ms, observed_at_ms,
      observed_after_ms, is_told_by_notification_alone, notification_type, notified_at_ms
    FROM kept_events ORDER BY id;
    UPDATE events SET apple_type = NULL WHERE (type, apple_type) IN (VALUES ('INITIAL_PURCHASE', 'SUBSCRIBED'),
      ('RENEWAL', 'DID_RENEW'), ('RESUBSCRIBE', 'SUBSCRIBED'), ('OFFER_REDEEMED', 'OFFER_REDEEMED'),
      ('PRODUCT_CHANGE', 'DID_CHANGE_RENEWAL_PREF'), ('CANCELLATION', 'REFUND'), ('BILLING_ISSUE', 'DID_FAIL_TO_RENEW'),
      ('EXPIRATION', 'EXPIRED'), ('REVOKE', 'REVOKE'), ('NON_RENEWING_PURCHASE', 'ONE_TIME_CHARGE'));
    UPDATE events SET period_type = nullif(ifnull(period_type, ''), 'NORMAL');
    UPDATE events SET product_id = NULL WHERE product_id = (SELECT y.product_id FROM transactions y
      WHERE y.transaction_id = events.transaction_id AND y.chain_id = events.chain_id);
    INSERT INTO transaction_changes_5 SELECT transaction_id, observed_at_ms, expires_date_ms, cancellation_date_ms,
      cancellation_reason, is_upgraded, through_ms, is_lagging FROM transaction_changes;
    INSERT INTO partial_sightings_5 SELECT * FROM partial_sightings;
    INSERT INTO phases_5 SELECT * FROM phases;
    DROP TABLE transaction_changes; ALTER TABLE transaction_changes_5 RENAME TO transaction_changes;
    DROP TABLE partial_sightings; ALTER TABLE partial_sightings_5 RENAME TO partial_sightings;
    DROP TABLE phases; ALTER TABLE phases_5 RENAME TO phases;
    DROP TABLE transaction_rows; DROP TABLE transaction_shapes; DROP TABLE event_rows; DROP TABLE event_shapes;
    ALTER TABLE chains DROP COLUMN common_observed_at_ms;
    ALTER TABLE chains DROP COLUMN common_original_purchase_date_ms;
    ALTER TABLE chains DROP COLUMN common_app_account_token;
    DELETE FROM grdb_migrations WHERE identifier = '6';
    DROP TABLE kept_transactions; DROP TABLE kept_events;
    """

  private static let indexes = """
    CREATE INDEX transactions_chain ON transactions (chain_id);
    CREATE INDEX transactions_duplicate ON transactions (duplicate_of) WHERE duplicate_of IS NOT NULL;
    CREATE INDEX transactions_order ON transactions (web_order_line_item_id) WHERE web_order_line_item_id IS NOT NULL;
    CREATE INDEX transactions_refunded ON transactions (refunded_at_ms) WHERE refunded_at_ms IS NOT NULL;
    CREATE INDEX transactions_upgraded ON transactions (upgraded_at_ms) WHERE upgraded = 1;
    CREATE INDEX transactions_expires ON transactions (expires_date_ms) WHERE line_id IS NOT NULL;
    CREATE INDEX transactions_effective_end ON transactions (effective_end_ms) WHERE kind = 'trial';
    CREATE INDEX transactions_purchase ON transactions (purchase_date_ms) WHERE line_id IS NOT NULL;
    CREATE INDEX transactions_cancelled ON transactions (cancelled_at_ms)
      WHERE cancelled_at_ms IS NOT NULL AND expires_date_ms IS NULL;
    CREATE INDEX transactions_line ON transactions (line_id);
    CREATE INDEX phases_until ON phases (until_ms, from_ms);
    CREATE INDEX events_chain ON events (chain_id);
    CREATE INDEX events_effective ON events (effective_at_ms);
    CREATE INDEX events_observed ON events (observed_at_ms);
    """

  private static let views = """
    CREATE VIEW v_transactions AS
    SELECT c.environment, c.original_transaction_id, x.*
    FROM transactions x JOIN chains c ON c.id = x.chain_id;
    CREATE VIEW v_refunds AS
    SELECT c.environment, c.original_transaction_id, x.transaction_id, x.product_id, x.kind, x.refunded_at_ms,
      x.refund_reason, x.price_micros, x.currency
    FROM transactions x JOIN chains c ON c.id = x.chain_id WHERE x.refunded_at_ms IS NOT NULL;
    CREATE VIEW v_upgrades AS
    SELECT c.environment, c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id,
      x.upgrade_direction, x.upgraded_at_ms, x.upgrade_confirmed, x.purchase_date_ms, x.expires_date_ms,
      x.price_micros, x.currency, x.prorated_refund_micros
    FROM transactions x JOIN chains c ON c.id = x.chain_id WHERE x.upgraded = 1;
    CREATE VIEW v_events AS
    SELECT c.environment, c.original_transaction_id, e.* FROM (SELECT s.id, s.chain_id, s.is_family_share, s.type,
      ifnull(s.apple_type, CASE s.type WHEN 'BILLING_ISSUE' THEN 'DID_FAIL_TO_RENEW' WHEN 'CANCELLATION' THEN 'REFUND' WHEN 'EXPIRATION' THEN 'EXPIRED' WHEN 'INITIAL_PURCHASE' THEN 'SUBSCRIBED' WHEN 'NON_RENEWING_PURCHASE' THEN 'ONE_TIME_CHARGE' WHEN 'OFFER_REDEEMED' THEN 'OFFER_REDEEMED' WHEN 'PRODUCT_CHANGE' THEN 'DID_CHANGE_RENEWAL_PREF' WHEN 'RENEWAL' THEN 'DID_RENEW' WHEN 'RESUBSCRIBE' THEN 'SUBSCRIBED' WHEN 'REVOKE' THEN 'REVOKE' END) AS apple_type, s.apple_subtype, s.reason, s.transaction_id,
      ifnull(s.product_id, (SELECT y.product_id FROM transactions y
        WHERE y.transaction_id = s.transaction_id AND y.chain_id = s.chain_id)) AS product_id,
      s.new_product_id, s.app_user_id, nullif(ifnull(s.period_type, 'NORMAL'), '') AS period_type,
      s.is_trial_conversion, s.effective_at_ms, s.observed_at_ms, s.observed_after_ms,
      s.is_told_by_notification_alone, s.notification_type, s.notified_at_ms FROM events s) AS e JOIN chains c ON c.id = e.chain_id;
    """
}
