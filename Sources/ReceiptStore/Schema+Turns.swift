/// Of migration 5: what was lost and what may yet be paid for, kept by when access ended and when it came due.
extension Schema {
  /// `failings` are the stretches in which a line is in grace or in billing retry, `failing_holders` those in which a user has
  /// such a line: `level` is 1 in one environment, and n over all of them where at least n of them have one. A user is
  /// `app_user_id`, or the chain where the app gave none. `holders_due` are chains whose users are to be looked at again.
  static let turns = """
    DELETE FROM tallies;
    DROP TABLE failings;
    DROP TABLE losses;
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
      paid_from_ms INTEGER,
      paid_until_ms INTEGER,
      paid_before_ms INTEGER,
      looked_in INTEGER NOT NULL,
      PRIMARY KEY (line_id, anchor_ms, at_ms, key_id, sign)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX turns_anchor ON turns (anchor_ms);
    CREATE INDEX turns_told ON turns (key_id, at_ms, anchor_ms, sign) WHERE is_told;
    CREATE INDEX turns_month ON turns (key_id, anchor_ms, at_ms) WHERE looked_in IN (1, 3);
    CREATE INDEX turns_year ON turns (key_id, anchor_ms, at_ms) WHERE looked_in IN (2, 3);
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
    CREATE INDEX failing_holders_from ON failing_holders (from_ms);
    CREATE INDEX failing_holders_until ON failing_holders (until_ms);
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
