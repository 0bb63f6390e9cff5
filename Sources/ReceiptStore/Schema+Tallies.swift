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

  /// What was lost and what may yet be paid for, by when access ended and when it came due. `failings` are the stretches in which a
  /// line is in grace or in billing retry, `failing_holders` those in which a user has such a line: `level` is 1 in one environment, and n
  /// over all of them where at least n of them have one. A user is `app_user_id`, or the chain where the app gave none. `holders_due` are
  /// chains whose users are to be looked at again.
  static let turns = """
    CREATE TABLE failings (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      expires_date_ms INTEGER NOT NULL,
      key_id INTEGER NOT NULL REFERENCES tally_keys (id),
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX failings_until ON failings (until_ms, from_ms, expires_date_ms, key_id, line_id);
    CREATE INDEX failings_expires ON failings (expires_date_ms, until_ms, from_ms, key_id, line_id);
    CREATE TABLE turns (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      anchor_ms INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      key_id INTEGER NOT NULL REFERENCES tally_keys (id),
      sign INTEGER NOT NULL,
      is_told INTEGER NOT NULL,
      PRIMARY KEY (line_id, anchor_ms, at_ms, key_id, sign)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX turns_anchor ON turns (anchor_ms);
    CREATE INDEX turns_told ON turns (at_ms, anchor_ms, key_id, sign) WHERE is_told;
    CREATE TABLE failing_holders (
      app_user_id TEXT NOT NULL,
      chain_id INTEGER NOT NULL,
      environment TEXT NOT NULL,
      level INTEGER NOT NULL,
      state TEXT NOT NULL,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      PRIMARY KEY (app_user_id, chain_id, environment, level, state, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE holders_due (chain_id INTEGER PRIMARY KEY) STRICT;
    CREATE TRIGGER failings_added AFTER INSERT ON failings BEGIN
      INSERT OR IGNORE INTO holders_due SELECT chain_id FROM lines WHERE id = NEW.line_id;
    END;
    CREATE TRIGGER failings_removed AFTER DELETE ON failings BEGIN
      INSERT OR IGNORE INTO holders_due SELECT chain_id FROM lines WHERE id = OLD.line_id;
    END;
    CREATE TRIGGER lines_removed BEFORE DELETE ON lines
    WHEN EXISTS (SELECT 1 FROM failings WHERE line_id = OLD.id) BEGIN
      INSERT OR IGNORE INTO holders_due VALUES (OLD.chain_id);
    END;
    CREATE TRIGGER receipt_chains_added AFTER INSERT ON receipt_chains BEGIN
      INSERT OR IGNORE INTO holders_due SELECT l.chain_id FROM lines l JOIN failings f ON f.line_id = l.id
        WHERE l.chain_id = NEW.chain_id;
    END;
    CREATE TRIGGER receipts_named AFTER UPDATE OF app_user_id ON receipts
    WHEN NEW.app_user_id <> OLD.app_user_id BEGIN
      INSERT OR IGNORE INTO holders_due SELECT l.chain_id FROM receipt_chains k JOIN lines l ON l.chain_id = k.chain_id
        JOIN failings f ON f.line_id = l.id WHERE k.receipt_id = NEW.id;
    END;
    """
}
