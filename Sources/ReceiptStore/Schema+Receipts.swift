extension Schema {
  /// Receipts and customers.
  ///
  /// - `app_user_id` is '' if the app gave none, since NULL would not be unique.
  /// - `user_is_provisional` is 1 if the user is known only from the export of another product.
  /// - `other_digest` is the last answer of the other kind (full or partial) than `answer_digest`, if both
  ///   contain the same information.
  /// - Data sent to Apple is in separate tables, because it is large and the other columns change often.
  /// - `receipt_contents` is the imported receipt; `latest_receipts` a newer one from Apple, which is sent
  ///   instead.
  /// - `customers` has the data for requests to the Server API: an id that was imported or came with signed
  ///   data instead of a receipt, and the `revision`, valid in one environment, to continue the history from.
  /// - `has_contents` is 1 if there is any data to send.
  /// - `gone_receipts` are receipts that Apple answered with 21010.
  static let receipts = """
    CREATE TABLE receipts (
      id INTEGER PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      app_user_id TEXT NOT NULL DEFAULT '',
      user_is_provisional INTEGER NOT NULL DEFAULT 0,
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
      has_contents INTEGER NOT NULL DEFAULT 0,
      failing_since_ms INTEGER,
      same_failure_since_ms INTEGER,
      due_rule TEXT,
      full_answer_at_ms INTEGER,
      dead_at_ms INTEGER,
      other_digest TEXT,
      other_validated_at_ms INTEGER,
      UNIQUE (fingerprint, app_user_id)
    ) STRICT;
    CREATE INDEX receipts_due ON receipts (next_due_at_ms) WHERE next_due_at_ms IS NOT NULL;
    CREATE INDEX receipts_user ON receipts (app_user_id) WHERE app_user_id <> '';
    CREATE INDEX receipts_dead ON receipts (dead_reason) WHERE dead_reason IS NOT NULL;
    CREATE INDEX receipts_failing ON receipts (next_due_at_ms) WHERE failing_since_ms IS NOT NULL;
    CREATE TABLE receipt_contents (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      receipt_data TEXT NOT NULL
    ) STRICT;
    CREATE TABLE latest_receipts (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      receipt_data TEXT NOT NULL,
      received_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE customers (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      customer_id TEXT,
      revision TEXT,
      environment TEXT
    ) STRICT;
    CREATE TABLE gone_receipts (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      gone_at_ms INTEGER NOT NULL
    ) STRICT;
    """
}
