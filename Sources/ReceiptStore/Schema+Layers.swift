/// Of migration 6: irregular turns are found by when they come, those that no sum tells of without a look at their rows, and
/// lines renewed ahead by when their last period begins.
extension Schema {
  static let layers = """
    ALTER TABLE lines ADD COLUMN renewed_ahead_at_ms INTEGER;
    CREATE INDEX lines_renewed_ahead ON lines (renewed_ahead_at_ms) WHERE renewed_ahead_at_ms IS NOT NULL;
    DELETE FROM turns;
    DROP INDEX turns_told;
    CREATE INDEX turns_told ON turns (at_ms, anchor_ms, key_id, sign) WHERE is_told;
    DROP INDEX turns_month;
    DROP INDEX turns_year;
    CREATE INDEX turns_month ON turns (key_id, anchor_ms, at_ms, looked_in, paid_from_ms, paid_until_ms, paid_before_ms)
      WHERE looked_in IN (1, 3);
    CREATE INDEX turns_year ON turns (key_id, anchor_ms, at_ms, looked_in, paid_from_ms, paid_until_ms, paid_before_ms)
      WHERE looked_in IN (2, 3);
    """
}
