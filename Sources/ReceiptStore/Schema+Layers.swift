/// Of migration 6: irregular turns are found by when they come, and lines renewed ahead by when their last period begins.
extension Schema {
  static let layers = """
    ALTER TABLE lines ADD COLUMN renewed_ahead_at_ms INTEGER;
    CREATE INDEX lines_renewed_ahead ON lines (renewed_ahead_at_ms) WHERE renewed_ahead_at_ms IS NOT NULL;
    DROP TABLE turns;
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
    DROP INDEX failing_holders_from;
    DROP INDEX failing_holders_until;
    """
}
