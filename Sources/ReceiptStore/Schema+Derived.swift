extension Schema {
  /// Of migration 2: how rows came about, Apple's share, and a feed of chains instead of lines, since purchases that do not
  /// renew and transfers are of no line.
  static let derived = """
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
    """
}
