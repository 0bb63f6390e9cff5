/// What follows from the evidence: `Derivation` writes it, and `LedgerRebuild` makes it anew.
extension Schema {
  /// A row a subscription line.
  static let lines = """
    CREATE TABLE lines (
      id INTEGER PRIMARY KEY,
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      subscription_group_id TEXT NOT NULL DEFAULT '',
      is_family_shared INTEGER NOT NULL,
      first_paid_ms INTEGER,
      cohort_class_id INTEGER,
      UNIQUE (chain_id, subscription_group_id, is_family_shared)
    ) STRICT;
    """

  /// The feed.
  static let events = """
    CREATE TABLE event_shapes (
      id INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      apple_type TEXT NOT NULL,
      apple_subtype TEXT,
      reason TEXT,
      product_id TEXT NOT NULL,
      new_product_id TEXT,
      period_type TEXT,
      is_trial_conversion INTEGER NOT NULL,
      is_family_share INTEGER NOT NULL,
      is_told_by_notification_alone INTEGER NOT NULL,
      notification_type TEXT,
      flow TEXT
    ) STRICT;
    CREATE INDEX event_shapes_alike ON event_shapes (\(columns(of: EventShape.self)));
    CREATE TABLE event_rows (
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      place INTEGER NOT NULL,
      shape_id INTEGER NOT NULL,
      transaction_id ANY,
      effective_at_ms INTEGER NOT NULL,
      observed_at_ms INTEGER,
      observed_after_ms INTEGER,
      app_user_id TEXT,
      notified_at_ms INTEGER,
      PRIMARY KEY (chain_id, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX events_effective ON event_rows (effective_at_ms);
    CREATE INDEX events_observed ON event_rows (observed_at_ms) WHERE observed_at_ms IS NOT NULL;
    """
}
