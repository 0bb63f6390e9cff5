/// Receipts, and what is known of asking about them.
extension Schema {
  /// `app_user_id` is '' where the app gave none, so that the uniqueness holds; `user_is_provisional` where another product's export alone
  /// called the customer so. `other_digest` is the last answer of the other kind
  /// than `answer_digest`, full or partial, where the two say the same. What goes to Apple is in tables of its own: it is large, and
  /// everything else about a receipt changes often. `receipt_contents` is the receipt as it was imported; `latest_receipts` a newer one
  /// that Apple sent back, which is sent in its place. `customers` has what the Server API is asked with: an id, where one was imported or
  /// signed data came instead of a receipt, and the `revision` from which on the history is not known, of one environment. `has_contents`
  /// says that there is anything to ask with. `gone_receipts` are those that Apple answered with 21010.
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
