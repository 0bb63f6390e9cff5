import Subscriptions
import TestSupport

/// A store as schema 1 left it, made from the statements of that release: stores of users look like this.
enum Schema1 {
  static let statements = """
    CREATE TABLE receipts (
      id INTEGER PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      app_user_id TEXT NOT NULL DEFAULT '',
      bundle_id TEXT,
      environment TEXT,
      imported_at_ms INTEGER NOT NULL,
      last_checked_at_ms INTEGER,
      last_validated_at_ms INTEGER,
      last_status INTEGER,
      answer_digest TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      last_failure TEXT,
      next_due_at_ms INTEGER,
      dead_reason TEXT,
      receipt_data TEXT,
      UNIQUE (fingerprint, app_user_id)
    ) STRICT;
    CREATE INDEX receipts_due ON receipts (next_due_at_ms) WHERE next_due_at_ms IS NOT NULL;
    CREATE INDEX receipts_user ON receipts (app_user_id) WHERE app_user_id <> '';
    CREATE TABLE chains (
      id INTEGER PRIMARY KEY,
      environment TEXT NOT NULL,
      original_transaction_id TEXT NOT NULL,
      validated_at_ms INTEGER,
      renewals_observed_at_ms INTEGER,
      gone_at_ms INTEGER,
      UNIQUE (original_transaction_id, environment)
    ) STRICT;
    CREATE TABLE receipt_chains (
      receipt_id INTEGER NOT NULL REFERENCES receipts (id),
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      first_observed_at_ms INTEGER NOT NULL,
      PRIMARY KEY (receipt_id, chain_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipt_chains_chain ON receipt_chains (chain_id, receipt_id);
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
      change_direction TEXT,
      UNIQUE (transaction_id, chain_id)
    ) STRICT;
    CREATE INDEX transactions_chain ON transactions (chain_id);
    CREATE INDEX transactions_line ON transactions (line_id, purchase_date_ms);
    CREATE INDEX transactions_duplicate ON transactions (duplicate_of) WHERE duplicate_of IS NOT NULL;
    CREATE INDEX transactions_order ON transactions (web_order_line_item_id) WHERE web_order_line_item_id IS NOT NULL;
    CREATE INDEX transactions_refunded ON transactions (refunded_at_ms) WHERE refunded_at_ms IS NOT NULL;
    CREATE INDEX transactions_upgraded ON transactions (upgraded_at_ms) WHERE upgraded = 1;
    CREATE INDEX transactions_expires ON transactions (expires_date_ms) WHERE line_id IS NOT NULL;
    CREATE INDEX transactions_effective_end ON transactions (effective_end_ms) WHERE kind = 'trial';
    CREATE INDEX transactions_purchase ON transactions (purchase_date_ms) WHERE line_id IS NOT NULL;
    CREATE INDEX transactions_cancelled ON transactions (cancellation_date_ms)
      WHERE cancellation_date_ms IS NOT NULL AND expires_date_ms IS NULL;
    CREATE TABLE transaction_changes (
      transaction_id INTEGER NOT NULL REFERENCES transactions (id),
      observed_at_ms INTEGER NOT NULL,
      expires_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      cancellation_reason TEXT,
      is_upgraded INTEGER NOT NULL,
      PRIMARY KEY (transaction_id, observed_at_ms)
    ) STRICT, WITHOUT ROWID;
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
    CREATE TABLE lines (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      subscription_group_id TEXT NOT NULL DEFAULT '',
      is_family_shared INTEGER NOT NULL,
      UNIQUE (chain_id, subscription_group_id, is_family_shared)
    ) STRICT;
    CREATE TABLE phases (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      current_id INTEGER NOT NULL REFERENCES transactions (id),
      is_live INTEGER NOT NULL,
      revoking_id INTEGER REFERENCES transactions (id),
      renewal_info_id INTEGER REFERENCES renewal_infos (id),
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX phases_until ON phases (until_ms, from_ms);
    CREATE TABLE events (
      id INTEGER PRIMARY KEY,
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      apple_type TEXT NOT NULL,
      reason TEXT,
      transaction_id TEXT,
      product_id TEXT NOT NULL,
      new_product_id TEXT,
      effective_at_ms INTEGER NOT NULL,
      observed_at_ms INTEGER NOT NULL,
      observed_after_ms INTEGER
    ) STRICT;
    CREATE INDEX events_line ON events (line_id);
    CREATE INDEX events_effective ON events (effective_at_ms);
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
    CREATE TABLE sweeps (
      id INTEGER PRIMARY KEY,
      started_at_ms INTEGER NOT NULL,
      finished_at_ms INTEGER NOT NULL,
      picked INTEGER NOT NULL,
      validated INTEGER NOT NULL,
      unchanged INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      new_transactions INTEGER NOT NULL,
      rerouted INTEGER NOT NULL,
      retry_later INTEGER NOT NULL,
      rejected INTEGER NOT NULL,
      transport_errors INTEGER NOT NULL,
      stopped TEXT
    ) STRICT;
    CREATE VIEW v_lines AS SELECT original_transaction_id FROM chains;
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('1');
    PRAGMA application_id = 1937010544;
    """

  /// A monthly line that was renewed once and refunded, and an upgrade in a second chain; days count from 2026-01-01.
  static let rows = """
    INSERT INTO receipts (id, fingerprint, app_user_id, bundle_id, environment, imported_at_ms, last_validated_at_ms,
      last_status, answer_digest, next_due_at_ms, receipt_data)
    VALUES (1, 'f1', 'u', 'app', 'Production', {0}, {50}, 0, 'd1', {51}, 'MIIB');
    INSERT INTO chains (id, environment, original_transaction_id, validated_at_ms, renewals_observed_at_ms)
    VALUES (1, 'Production', '1', {50}, {50}), (2, 'Production', '2', {50}, {50});
    INSERT INTO receipt_chains VALUES (1, 1, {1}), (1, 2, {1});
    INSERT INTO transactions (id, chain_id, transaction_id, product_id, quantity, purchase_date_ms, expires_date_ms,
      cancellation_date_ms, cancellation_reason, is_trial_period, is_in_intro_offer_period, is_upgraded,
      in_app_ownership_type, first_observed_at_ms, observed_at_ms, is_lagging)
    VALUES
      (1, 1, '1', 'monthly', 1, {0}, {30}, NULL, NULL, 0, 0, 0, 'PURCHASED', {1}, {1}, 0),
      (2, 1, '1b', 'monthly', 1, {30}, {60}, {45}, '0', 0, 0, 0, 'PURCHASED', {31}, {50}, 0),
      (3, 2, '2', 'monthly', 1, {0}, {30}, NULL, NULL, 0, 0, 1, 'PURCHASED', {1}, {20}, 0),
      (4, 2, '2b', 'yearly', 1, {15}, {380}, NULL, NULL, 0, 0, 0, 'PURCHASED', {20}, {20}, 0);
    INSERT INTO transaction_changes VALUES (2, {31}, {60}, NULL, NULL, 0), (3, {1}, {30}, NULL, NULL, 0);
    INSERT INTO renewal_infos (chain_id, observed_at_ms, original_transaction_id, product_id, auto_renew_status)
    VALUES (1, {1}, '1', 'monthly', 1), (2, {20}, '2', 'yearly', 1);
    INSERT INTO lines VALUES (1, 1, '', 0), (2, 2, '', 0);
    INSERT INTO events (line_id, type, apple_type, transaction_id, product_id, effective_at_ms, observed_at_ms)
    VALUES (1, 'INITIAL_PURCHASE', 'SUBSCRIBED/INITIAL_BUY', '1', 'monthly', {0}, {1});
    """

  /// The rows with their days as instants.
  static var filled: String {
    rows.replacing(/\{(\d+)\}/) { match in "\(day(Int(match.output.1) ?? 0).rawValue)" }
  }
}
