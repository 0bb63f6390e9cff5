/// What people asked to be told of.
extension Schema {
  /// Alerts that a sweep saw raised. `told_at_ms` is when somebody was told; `cleared_at_ms` when it was seen to be over, which is to be told as
  /// well and then ends the row. Whoever is about to tell holds it until `claimed_until_ms`.
  static let alerts = """
    CREATE TABLE alerts (
      name TEXT PRIMARY KEY,
      condition TEXT NOT NULL,
      raised_at_ms INTEGER NOT NULL,
      told_at_ms INTEGER,
      cleared_at_ms INTEGER,
      claimed_until_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    """
}
