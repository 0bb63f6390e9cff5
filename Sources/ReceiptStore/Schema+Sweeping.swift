import GRDB

/// Of migration 3: what sweeps share, and receipts apart from what they contain.
extension Schema {
  static func prepareSweeping(_ db: Database) throws {
    // A column cannot go while a view may speak of it.
    for view in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'view'") {
      try db.execute(sql: "DROP VIEW \(view)")
    }
    try db.execute(sql: contents)
    try moveContents(db)
    for statement in [receiptColumns, sweepsAndLeases, partialSightings] { try db.execute(sql: statement) }
  }

  private static let contents = """
    CREATE TABLE receipt_contents (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      receipt_data TEXT NOT NULL
    ) STRICT;
    ALTER TABLE receipts ADD COLUMN has_contents INTEGER NOT NULL DEFAULT 0;
    """

  /// Some hundred at a time, each leaving its old pages to the next, so that the file does not grow to twice its size.
  private static func moveContents(_ db: Database) throws {
    let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM receipts") ?? 0
    for start in stride(from: Int64(0), through: last, by: 500) {
      let page: StatementArguments = [start, start + 500]
      try db.execute(
        sql: """
          INSERT INTO receipt_contents (receipt_id, receipt_data)
          SELECT id, receipt_data FROM receipts WHERE id > ? AND id <= ? AND receipt_data IS NOT NULL
          """, arguments: page)
      try db.execute(
        sql: """
          UPDATE receipts SET has_contents = receipt_data IS NOT NULL, receipt_data = NULL WHERE id > ? AND id <= ?
          """,
        arguments: page)
    }
  }

  /// The column goes by ALTER TABLE and not by a table made anew: the references to `receipts`, its indexes and its row
  /// numbers stay untouched, and the rows are short by now. Every answer so far was a full one. `other_digest` is the last answer
  /// of the other kind than `answer_digest`, full or partial, where the two say the same.
  private static let receiptColumns = """
    ALTER TABLE receipts DROP COLUMN receipt_data;
    ALTER TABLE receipts ADD COLUMN failing_since_ms INTEGER;
    ALTER TABLE receipts ADD COLUMN same_failure_since_ms INTEGER;
    ALTER TABLE receipts ADD COLUMN due_rule TEXT;
    ALTER TABLE receipts ADD COLUMN full_answer_at_ms INTEGER;
    ALTER TABLE receipts ADD COLUMN dead_at_ms INTEGER;
    ALTER TABLE receipts ADD COLUMN other_digest TEXT;
    ALTER TABLE receipts ADD COLUMN other_validated_at_ms INTEGER;
    UPDATE receipts SET full_answer_at_ms = last_validated_at_ms,
      failing_since_ms = iif(attempts > 0, last_checked_at_ms, NULL),
      due_rule = CASE WHEN next_due_at_ms IS NULL THEN NULL WHEN attempts > 0 THEN 'failed'
        WHEN last_checked_at_ms IS NULL THEN 'new' END,
      dead_at_ms = iif(dead_reason IS NULL, NULL, last_checked_at_ms);
    CREATE INDEX receipts_dead ON receipts (dead_reason) WHERE dead_reason IS NOT NULL;
    CREATE INDEX receipts_failing ON receipts (next_due_at_ms) WHERE failing_since_ms IS NOT NULL;
    CREATE INDEX events_observed ON events (observed_at_ms);
    """

  /// A lease is believed from the instant it was taken or renewed, so that a clock that ran ahead holds nothing back.
  /// `sweep_stopped_apps` says null for receipts whose app was not known. `due_policy` has one row: the policy that the due dates were made with.
  private static let sweepsAndLeases = """
    CREATE TABLE sweeps_3 (
      id INTEGER PRIMARY KEY,
      started_at_ms INTEGER NOT NULL,
      last_seen_at_ms INTEGER NOT NULL,
      finished_at_ms INTEGER,
      lease_ms INTEGER NOT NULL DEFAULT 60000,
      selection TEXT NOT NULL DEFAULT '',
      started_by TEXT NOT NULL DEFAULT '',
      picked INTEGER NOT NULL DEFAULT 0,
      validated INTEGER NOT NULL DEFAULT 0,
      unchanged INTEGER NOT NULL DEFAULT 0,
      changed INTEGER NOT NULL DEFAULT 0,
      new_transactions INTEGER NOT NULL DEFAULT 0,
      renewals INTEGER NOT NULL DEFAULT 0,
      refunds INTEGER NOT NULL DEFAULT 0,
      state_changes INTEGER NOT NULL DEFAULT 0,
      rerouted INTEGER NOT NULL DEFAULT 0,
      retried INTEGER NOT NULL DEFAULT 0,
      retry_later INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0,
      given_back INTEGER NOT NULL DEFAULT 0,
      transport_errors INTEGER NOT NULL DEFAULT 0,
      latency_p50_ms REAL,
      latency_p95_ms REAL,
      last_transport_error TEXT,
      not_before_ms INTEGER,
      stopped TEXT,
      failure TEXT
    ) STRICT;
    INSERT INTO sweeps_3 (id, started_at_ms, last_seen_at_ms, finished_at_ms, picked, validated, unchanged, changed,
      new_transactions, rerouted, retry_later, rejected, transport_errors, stopped)
    SELECT id, started_at_ms, finished_at_ms, finished_at_ms, picked, validated, unchanged, changed,
      new_transactions, rerouted, retry_later, rejected, transport_errors, stopped FROM sweeps;
    DROP TABLE sweeps;
    ALTER TABLE sweeps_3 RENAME TO sweeps;
    CREATE INDEX sweeps_last ON sweeps (picked > 0, finished_at_ms) WHERE finished_at_ms IS NOT NULL;
    CREATE INDEX sweeps_not_before ON sweeps (not_before_ms) WHERE not_before_ms IS NOT NULL;
    CREATE TABLE sweep_statuses (
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      status INTEGER NOT NULL,
      count INTEGER NOT NULL,
      last_seen_at_ms INTEGER NOT NULL,
      example_receipt_id INTEGER NOT NULL,
      PRIMARY KEY (sweep_id, status)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sweep_http (
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      http INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (sweep_id, http)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sweep_stopped_apps (
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      bundle_id TEXT,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sweep_stopped_apps_sweep ON sweep_stopped_apps (sweep_id);
    CREATE TABLE leases (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      renewed_at_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX leases_sweep ON leases (sweep_id);
    CREATE TABLE due_policy (digest TEXT NOT NULL) STRICT;
    """

  /// What answers to `exclude-old-transactions` showed of a transaction, a row each time it was something else: such an
  /// answer says nothing of what it leaves out, so these sightings are kept apart from those of full answers.
  private static let partialSightings = """
    CREATE TABLE partial_sightings (
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
    """
}
