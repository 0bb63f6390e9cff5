extension Schema {
  /// Sweeps. A sweep records its process, so that others can see whether it still runs: `pid` within
  /// `pid_namespace` of `host`, since its boot `boot_id`. `process_started` is in clock ticks after the boot
  /// (proc(5)).
  static let sweeps = """
    CREATE TABLE sweeps (
      id INTEGER PRIMARY KEY,
      started_at_ms INTEGER NOT NULL,
      last_seen_at_ms INTEGER NOT NULL,
      finished_at_ms INTEGER,
      lease_ms INTEGER NOT NULL DEFAULT 60000,
      selection TEXT NOT NULL DEFAULT '',
      started_by TEXT NOT NULL DEFAULT '',
      host TEXT NOT NULL DEFAULT '',
      boot_id TEXT NOT NULL DEFAULT '',
      pid_namespace TEXT NOT NULL DEFAULT '',
      pid INTEGER NOT NULL DEFAULT 0,
      process_started INTEGER NOT NULL DEFAULT 0,
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
    CREATE INDEX sweeps_unfinished ON sweeps (id) WHERE finished_at_ms IS NULL;
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
    """

  /// Apps that a sweep stopped asking about. `bundle_id` is NULL for receipts whose app was unknown.
  static let stoppedApps = """
    CREATE TABLE sweep_stopped_apps (
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      bundle_id TEXT,
      reason TEXT NOT NULL,
      key_id TEXT,
      clock_ahead_ms INTEGER
    ) STRICT;
    CREATE INDEX sweep_stopped_apps_sweep ON sweep_stopped_apps (sweep_id);
    """

  /// Receipts that recent sweeps changed or failed to check, at most `SweptReceipts.most` of each kind per
  /// sweep.
  static let sweptReceipts = """
    CREATE TABLE sweep_receipts (
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      receipt_id INTEGER NOT NULL REFERENCES receipts (id),
      outcome TEXT NOT NULL,
      status INTEGER,
      reason TEXT,
      PRIMARY KEY (sweep_id, receipt_id)
    ) STRICT, WITHOUT ROWID;
    """

  /// Leases, and the due policy. A lease counts from the instant at which it was taken or renewed, so that a
  /// clock that ran ahead blocks nothing. `due_policy` has one row: the policy that the due dates were
  /// computed with.
  static let leases = """
    CREATE TABLE leases (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
      renewed_at_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX leases_sweep ON leases (sweep_id);
    CREATE TABLE due_policy (digest TEXT NOT NULL) STRICT;
    """
}
