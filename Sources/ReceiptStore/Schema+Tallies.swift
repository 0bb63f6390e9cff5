/// What figures come to, kept by when it does, so that none is counted anew.
extension Schema {
  /// `tally_state` has one row; its counts are those of the tables, which would have to be read from end to end.
  /// `layer` is a family of keys in one grain of time (`TallyLayer`).
  static let tallies = """
    CREATE TABLE tally_state (
      rule INTEGER NOT NULL,
      is_complete INTEGER NOT NULL,
      receipts INTEGER NOT NULL,
      transactions INTEGER NOT NULL
    ) STRICT;
    INSERT INTO tally_state (rule, is_complete, receipts, transactions) VALUES (\(TallyRebuild.rule), 1, 0, 0);
    CREATE TRIGGER receipts_added AFTER INSERT ON receipts
      BEGIN UPDATE tally_state SET receipts = receipts + 1; END;
    CREATE TRIGGER receipts_removed AFTER DELETE ON receipts
      BEGIN UPDATE tally_state SET receipts = receipts - 1; END;
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
    CREATE INDEX tallies_of_nothing ON tallies (layer) WHERE count = 0 AND micros = 0;
    """
}
