/// METRICS §5, Cohorts.
extension Schema {
  /// A line is counted with the month and as what it was first paid: `lines.first_paid_ms` and `lines.cohort_class_id`, both null
  /// where it never was, and of family-shared lines. A row of `cohort_classes` without a product holds what all of its currency have
  /// in common.
  ///
  /// `cohort_sums` has how many lines are paid `months` calendar months after they first were, and what they bring a month then, in the
  /// currency of the class and in the reporting currency, by when they first were (`CohortGrain`): `at` is a month since the year 0,
  /// or a day or an hour since 1970.
  static let cohorts = """
    CREATE TABLE cohort_classes (
      id INTEGER PRIMARY KEY,
      environment TEXT NOT NULL,
      product_id TEXT,
      storefront TEXT,
      kind TEXT,
      offer TEXT,
      currency TEXT
    ) STRICT;
    CREATE INDEX cohort_classes_alike ON cohort_classes (\(columns(of: CohortShape.self)));
    CREATE INDEX lines_first_paid ON lines (first_paid_ms, cohort_class_id) WHERE first_paid_ms IS NOT NULL;
    CREATE TABLE cohort_sums (
      grain INTEGER NOT NULL,
      months INTEGER NOT NULL,
      at INTEGER NOT NULL,
      class_id INTEGER NOT NULL,
      lines INTEGER NOT NULL,
      micros INTEGER NOT NULL,
      converted_micros INTEGER NOT NULL,
      unconverted INTEGER NOT NULL,
      PRIMARY KEY (grain, months, at, class_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX cohort_sums_of_nothing ON cohort_sums (grain)
      WHERE lines = 0 AND micros = 0 AND converted_micros = 0 AND unconverted = 0;
    """
}
