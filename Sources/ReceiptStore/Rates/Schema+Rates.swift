/// What money was worth.
extension Schema {
  /// So many millionths of millionths of a unit of `currency` for one unit of `base`, from `day` (UTC, days since 1970) on; null where
  /// the publisher says that there is none.
  static let rates = """
    CREATE TABLE rates (
      base TEXT NOT NULL,
      currency TEXT NOT NULL,
      day INTEGER NOT NULL,
      rate_picos INTEGER,
      PRIMARY KEY (base, currency, day)
    ) STRICT, WITHOUT ROWID;
    """
}
