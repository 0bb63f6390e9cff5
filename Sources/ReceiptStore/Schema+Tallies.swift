import GRDB

/// Of migration 4: what figures come to, kept by when it does, so that none is counted anew.
extension Schema {
  /// `tally_state` has one row; its counts are those of the tables, which would have to be read from end to end.
  /// `layer` is a family of keys in one grain of time (`TallyLayer`). `failings` and `losses` are the stretches in which a
  /// line had expired and might yet be paid for, and in which it was lost. `access_until_ms` is null where access has a gap.
  static let tallies = """
    CREATE TABLE tally_state (
      rule INTEGER NOT NULL,
      is_complete INTEGER NOT NULL,
      receipts INTEGER NOT NULL,
      transactions INTEGER NOT NULL
    ) STRICT;
    INSERT INTO tally_state (rule, is_complete, receipts, transactions)
    VALUES (0, 0, (SELECT count(*) FROM receipts), (SELECT count(*) FROM transactions));
    CREATE TRIGGER receipts_added AFTER INSERT ON receipts
      BEGIN UPDATE tally_state SET receipts = receipts + 1; END;
    CREATE TRIGGER receipts_removed AFTER DELETE ON receipts
      BEGIN UPDATE tally_state SET receipts = receipts - 1; END;
    CREATE TRIGGER transactions_added AFTER INSERT ON transactions
      BEGIN UPDATE tally_state SET transactions = transactions + 1; END;
    CREATE TRIGGER transactions_removed AFTER DELETE ON transactions
      BEGIN UPDATE tally_state SET transactions = transactions - 1; END;
    CREATE TABLE tally_keys (
      id INTEGER PRIMARY KEY,
      family INTEGER NOT NULL,
      environment TEXT NOT NULL,
      product_id TEXT NOT NULL,
      detail TEXT NOT NULL,
      currency TEXT NOT NULL,
      UNIQUE (family, environment, product_id, detail, currency)
    ) STRICT;
    CREATE TABLE tallies (
      layer INTEGER NOT NULL,
      bucket INTEGER NOT NULL,
      key_id INTEGER NOT NULL REFERENCES tally_keys (id),
      count INTEGER NOT NULL,
      micros INTEGER NOT NULL,
      PRIMARY KEY (layer, bucket, key_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE failings (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      expires_date_ms INTEGER NOT NULL,
      key_id INTEGER NOT NULL REFERENCES tally_keys (id),
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX failings_until ON failings (until_ms, from_ms, expires_date_ms, key_id, line_id);
    CREATE TABLE losses (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      access_end_ms INTEGER NOT NULL,
      paid_from_ms INTEGER,
      paid_until_ms INTEGER,
      key_id INTEGER NOT NULL REFERENCES tally_keys (id),
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX losses_access_end
      ON losses (access_end_ms, from_ms, until_ms, key_id, paid_from_ms, paid_until_ms, line_id);
    ALTER TABLE lines ADD COLUMN access_until_ms INTEGER;
    CREATE INDEX chains_validated ON chains (validated_at_ms);
    CREATE INDEX chains_gone ON chains (gone_at_ms) WHERE gone_at_ms IS NOT NULL;
    CREATE INDEX renewal_infos_grace ON renewal_infos (grace_period_expires_date_ms)
      WHERE grace_period_expires_date_ms IS NOT NULL;
    """
}
