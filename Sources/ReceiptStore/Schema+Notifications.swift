extension Schema {
  /// What notifications told, apart from the answers that they carried. `digest` tells a replay.
  static let notifications = """
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
    """
}
