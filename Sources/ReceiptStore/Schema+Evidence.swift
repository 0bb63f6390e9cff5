/// Tables of the evidence, which is a function of the set of answers, independent of their order.
extension Schema {
  /// Chains, and the receipts that hold them. `validations` is a `ValidationLog`.
  static let chains = """
    CREATE TABLE chains (
      id INTEGER PRIMARY KEY,
      environment TEXT NOT NULL,
      original_transaction_id TEXT NOT NULL,
      validated_at_ms INTEGER,
      renewals_observed_at_ms INTEGER,
      gone_at_ms INTEGER,
      answered_by INTEGER REFERENCES receipts (id),
      validations TEXT NOT NULL DEFAULT '',
      common_observed_at_ms INTEGER,
      common_original_purchase_date_ms INTEGER,
      common_app_account_token TEXT,
      UNIQUE (original_transaction_id, environment)
    ) STRICT;
    CREATE INDEX chains_validated ON chains (validated_at_ms);
    CREATE INDEX chains_account_token ON chains (common_app_account_token) WHERE common_app_account_token IS NOT NULL;
    CREATE INDEX chains_gone ON chains (gone_at_ms) WHERE gone_at_ms IS NOT NULL;
    CREATE TABLE receipt_chains (
      receipt_id INTEGER NOT NULL REFERENCES receipts (id),
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      first_observed_at_ms INTEGER NOT NULL,
      PRIMARY KEY (receipt_id, chain_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipt_chains_chain ON receipt_chains (chain_id, receipt_id);
    """

  /// Transactions. A row of `transaction_rows` has the values of one transaction and references a shape with
  /// the values that many share: first Apple's fields, then values derived from the line and the catalogue.
  ///
  /// - Decimal ids are stored as numbers (`StoredID`).
  /// - `effective_end_ms` is NULL if it equals `expires_date_ms` and the row is not a trial.
  /// - `observed_at_ms` is NULL if it equals `first_observed_at_ms`.
  /// - Values that the chain has in common (`ChainCommon`) are NULL.
  /// - Derived columns declare no references, since checking each would be slow.
  /// - `expires_date_ms` is the expiry of the whole purchase; `told_expires_date_ms` is the expiry of this
  ///   id, if different.
  ///
  /// `transaction_sightings` has each run of equal sightings, including the current one, of transactions that
  /// ever changed. Sightings in answers to `exclude-old-transactions` are kept apart (`is_partial`), since
  /// these answers prove nothing about omitted rows.
  static let transactions = """
    CREATE TABLE transaction_shapes (
      id INTEGER PRIMARY KEY,
      environment TEXT NOT NULL,
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
      is_signed INTEGER NOT NULL,
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
      period TEXT,
      change_direction TEXT,
      arrival TEXT,
      is_past_first_year INTEGER,
      changed_from_product_id TEXT,
      bundle_id TEXT,
      is_price_signed INTEGER,
      storefront TEXT
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
      duplicate_of INTEGER,
      partial_refund_micros INTEGER,
      told_expires_date_ms INTEGER
    ) STRICT;
    CREATE INDEX transactions_chain ON transaction_rows (chain_id);
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
    CREATE TABLE transaction_sightings (
      transaction_id INTEGER NOT NULL REFERENCES transaction_rows (id),
      is_partial INTEGER NOT NULL,
      observed_at_ms INTEGER NOT NULL,
      through_ms INTEGER,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_upgraded INTEGER NOT NULL,
      is_lagging INTEGER NOT NULL,
      PRIMARY KEY (transaction_id, is_partial, observed_at_ms)
    ) STRICT, WITHOUT ROWID;
    """

  /// Renewal infos: one row for each change, with the interval in which it occurred.
  static let renewalInfos = """
    CREATE TABLE renewal_infos (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      observed_after_ms INTEGER,
      observed_at_ms INTEGER NOT NULL,
      original_transaction_id TEXT,
      product_id TEXT,
      auto_renew_product_id TEXT,
      auto_renew_status INTEGER,
      expiration_intent TEXT,
      is_in_billing_retry_period INTEGER,
      grace_period_expires_date_ms INTEGER,
      price_consent_status TEXT,
      price_increase_status TEXT,
      promotional_offer_id TEXT,
      offer_code_ref_name TEXT
    ) STRICT;
    CREATE INDEX renewal_infos_chain ON renewal_infos (chain_id, observed_at_ms);
    CREATE INDEX renewal_infos_grace ON renewal_infos (grace_period_expires_date_ms)
      WHERE grace_period_expires_date_ms IS NOT NULL;
    """

  /// Notifications, without the answers in them, and the progress of backfills.
  ///
  /// - `digest` identifies a replay. For version 2 it is the number that the `uuid` represents; version 1 has
  ///   no `uuid`.
  /// - `chain_id` is NULL if a notification is about no chain.
  /// - `inbox` holds received bodies whose notifications have not been applied yet.
  /// - `send_attempts` is JSON, in the format of the notification history.
  static let notifications = """
    CREATE TABLE notifications (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      chain_id INTEGER REFERENCES chains (id),
      type TEXT NOT NULL,
      transaction_id TEXT,
      product_id TEXT,
      auto_renew_product_id TEXT,
      auto_renew_status INTEGER,
      auto_renew_status_change_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      observed_at_ms INTEGER NOT NULL,
      subtype TEXT,
      uuid TEXT,
      signed_at_ms INTEGER,
      environment TEXT NOT NULL,
      bundle_id TEXT,
      send_attempts TEXT
    ) STRICT;
    CREATE INDEX notifications_chain ON notifications (chain_id, observed_at_ms);
    CREATE INDEX notifications_uuid ON notifications (uuid) WHERE uuid IS NOT NULL;
    CREATE TABLE inbox (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      uuid TEXT NOT NULL,
      received_at_ms INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE backfills (
      bundle_id TEXT NOT NULL,
      environment TEXT NOT NULL,
      only_failures INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      PRIMARY KEY (bundle_id, environment, only_failures)
    ) STRICT, WITHOUT ROWID;
    """

  /// Dated prices. `valid_from_ms` is -9223372036854775808 if the price has no start, since NULL would not be
  /// unique.
  static let catalog = """
    CREATE TABLE catalog (
      product_id TEXT NOT NULL,
      offer TEXT NOT NULL,
      valid_from_ms INTEGER NOT NULL,
      subscription_group_id TEXT,
      level INTEGER,
      period TEXT NOT NULL,
      price_micros INTEGER NOT NULL,
      currency TEXT NOT NULL,
      PRIMARY KEY (product_id, offer, valid_from_ms)
    ) STRICT, WITHOUT ROWID;
    """
}
