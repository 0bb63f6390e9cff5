import GRDB

/// The store's tables, as migrations. A migration that has been released is never edited: the next one mends it.
enum Schema {
  /// Marks the file as ours: `stop` in ASCII, where `file` and SQLite's header keep such things.
  static let applicationID = 0x7374_6F70

  static var migrator: DatabaseMigrator { migrator(progress: { _, _ in }) }

  /// - Parameter progress: is told how many chains of how many are done, where a migration looks at them all.
  private static func migrator(progress: @escaping RebuildProgress) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      for statement in [receipts, chains, transactions, renewalInfos, lines, events, catalog, sweeps] {
        try db.execute(sql: statement)
      }
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    migrator.registerMigration("2") { db in
      for statement in [evidence, notifications, derived] { try db.execute(sql: statement) }
      for view in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'view'") {
        try db.execute(sql: "DROP VIEW \(view)")
      }
      // What is derived is made anew by the sixth, which no file stops short of; and views are, too.
    }
    migrator.registerMigration("3", migrate: prepareSweeping)
    migrator.registerMigration("4") { db in
      try db.execute(sql: tallies)
    }
    migrator.registerMigration("5") { db in
      try db.execute(sql: compact)
      try db.execute(sql: turns)
    }
    migrator.registerMigration("6") { db in try RowsMigration(db: db, progress: progress).run() }
    return migrator
  }

  /// Brings a file up to date. Another process may be at it as well: what it has done meanwhile is not done again.
  static func migrate(_ pool: DatabasePool, progress: @escaping RebuildProgress = { _, _ in }) throws {
    let migrator = migrator(progress: progress)
    for attempt in 0...migrator.migrations.count {
      let before = try pool.read(migrator.appliedIdentifiers)
      do {
        return try migrator.migrate(pool)
      } catch {
        let after = try pool.read(migrator.appliedIdentifiers)
        if after == before || attempt == migrator.migrations.count { throw error }
      }
    }
  }

  /// `app_user_id` is '' where the app gave none, so that the uniqueness holds. The receipt itself comes last: SQLite walks
  /// over what stands before a column.
  private static let receipts = """
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
    """

  private static let chains = """
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
    """

  /// Apple's fields first, then the observation, then what the rest of the line and the catalogue say of the row.
  private static let transactions = """
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
    """

  /// A row each time something changed, with the interval in which it did.
  private static let renewalInfos = """
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
    """

  /// Derived: a row a subscription line, and a row each time another transaction became its current one.
  private static let lines = """
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
    """

  /// Derived: the feed.
  private static let events = """
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
    """

  /// `valid_from_ms` is -9223372036854775808 where the price holds always, so that the uniqueness holds.
  private static let catalog = """
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

  private static let sweeps = """
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
    """
}
