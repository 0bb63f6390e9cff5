import Subscriptions
import TestSupport

/// What the second release made of a store of the first, from the statements of that release.
enum Schema2 {
  static let statements = """
    ALTER TABLE chains ADD COLUMN answered_by INTEGER REFERENCES receipts (id);
    ALTER TABLE chains ADD COLUMN validations TEXT;
    ALTER TABLE transactions ADD COLUMN confirmed_at_ms INTEGER;
    ALTER TABLE transaction_changes ADD COLUMN through_ms INTEGER;
    ALTER TABLE transaction_changes ADD COLUMN is_lagging INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE gone_receipts (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      gone_at_ms INTEGER NOT NULL
    ) STRICT;
    INSERT INTO gone_receipts (receipt_id, gone_at_ms)
    SELECT id, last_checked_at_ms FROM receipts WHERE last_status = 21010 AND last_checked_at_ms IS NOT NULL;
    UPDATE transaction_changes SET through_ms = observed_at_ms;
    INSERT OR IGNORE INTO transaction_changes (transaction_id, observed_at_ms, expires_date_ms, cancellation_date_ms,
      cancellation_reason, is_upgraded, is_lagging)
    SELECT x.id, x.observed_at_ms, x.expires_date_ms, x.cancellation_date_ms, x.cancellation_reason, x.is_upgraded,
      x.is_lagging FROM transactions x WHERE x.id IN (SELECT transaction_id FROM transaction_changes);
    CREATE TABLE notifications (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      type TEXT NOT NULL,
      transaction_id TEXT,
      product_id TEXT,
      auto_renew_product_id TEXT,
      auto_renew_status INTEGER,
      auto_renew_status_change_date_ms INTEGER,
      cancellation_date_ms INTEGER,
      observed_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX notifications_chain ON notifications (chain_id, observed_at_ms);
    ALTER TABLE transactions ADD COLUMN arrival TEXT;
    ALTER TABLE transactions ADD COLUMN is_past_first_year INTEGER;
    ALTER TABLE transactions ADD COLUMN changed_from_product_id TEXT;
    ALTER TABLE transactions ADD COLUMN cancelled_at_ms INTEGER;
    DROP INDEX transactions_cancelled;
    CREATE INDEX transactions_cancelled ON transactions (cancelled_at_ms)
      WHERE cancelled_at_ms IS NOT NULL AND expires_date_ms IS NULL;
    DROP TABLE events;
    CREATE TABLE events (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      is_family_share INTEGER NOT NULL,
      type TEXT NOT NULL,
      apple_type TEXT NOT NULL,
      apple_subtype TEXT,
      reason TEXT,
      transaction_id TEXT,
      product_id TEXT NOT NULL,
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
    CREATE INDEX events_chain ON events (chain_id);
    CREATE INDEX events_effective ON events (effective_at_ms);
    INSERT INTO grdb_migrations VALUES ('2');
    """

  /// A receipt that cannot be sent, one that fails and one that is dead; two sweeps; a notification.
  static let rows = """
    INSERT INTO receipts (id, fingerprint, app_user_id, imported_at_ms, last_checked_at_ms, last_status, attempts,
      last_failure, next_due_at_ms, dead_reason, receipt_data)
    VALUES (2, 'f2', '', {0}, NULL, NULL, 0, NULL, NULL, NULL, NULL),
      (3, 'f3', '', {0}, {40}, 21005, 3, 'busy', {41}, NULL, 'MIIC'),
      (4, 'f4', '', {0}, {45}, 21003, 0, NULL, NULL, 'not authentic', 'MIID'),
      (700, 'f700', '', {0}, NULL, NULL, 0, NULL, {0}, NULL, 'MIIE');
    INSERT INTO sweeps VALUES (1, {40}, {41}, 4, 3, 2, 1, 5, 1, 1, 0, 2, NULL),
      (2, {50}, {50}, 1, 0, 0, 0, 0, 0, 0, 0, 1, 'unreachable');
    INSERT INTO notifications (digest, chain_id, type, observed_at_ms) VALUES ('n1', 1, 'REFUND', {46});
    UPDATE receipts SET last_checked_at_ms = {50} WHERE id = 1;
    """

  /// The rows with their days as instants.
  static var filled: String {
    rows.replacing(/\{(\d+)\}/) { match in "\(day(Int(match.output.1) ?? 0).rawValue)" }
  }
}
