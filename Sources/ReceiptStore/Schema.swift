import GRDB
import Subscriptions

/// The store's tables, made in one go.
///
/// Nothing has been released with another schema, so that there is nothing to migrate from; whoever changes it raises `version`.
enum Schema {
  /// Marks the file as ours: `stop` in ASCII, where `file` and SQLite's header keep such things.
  static let applicationID = 0x7374_6F70
  /// `PRAGMA user_version`; 0 is a file without tables.
  static let version = 26

  /// Makes the tables where there are none. Another process may be making them as well: what it has made is not made again.
  static func make(in pool: DatabasePool) throws {
    guard try pool.read(version(of:)) == 0 else { return }
    try pool.write { db in
      guard try version(of: db) == 0 else { return }
      try makeTables(in: db)
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }

  static func makeTables(in db: Database) throws {
    for statements in [
      receipts, chains, transactions, signed, renewalInfos, notifications, catalog, rates, lines, events,
      ledger, cohorts, sweeps, stoppedApps, sweptReceipts, leases, alerts, rowViews, Views.all,
    ] {
      try db.execute(sql: statements)
    }
  }

  static func version(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  static func checkedVersion(of db: Database) throws -> Int {
    try check(db)
    return try version(of: db)
  }

  /// Refuses a file that is not this program's, or of another schema.
  static func check(_ db: Database) throws {
    let found = try version(of: db)
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    if isEmpty, found == 0 { return }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw StoreError("it is another program's database; pass another --store")
    }
    guard found <= version else {
      throw StoreError(
        "it was written by a newer subtop (schema \(found)); update subtop or pass another --store")
    }
    guard found == version else {
      throw StoreError(
        "it was written by a subtop that was never released; import into a new store with another --store")
    }
    try checkEntries(of: db)
  }
}

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

/// What many transactions or events have in common is stored once, in a row of shapes that each of them names: a transaction takes 61
/// bytes so, and 220 in full. The views `transactions` and `events` put it together.
extension Schema {
  /// Rows with their shapes; `transaction_row` is a number of `transaction_rows`. The shape is looked up last, whatever else is
  /// asked for.
  static let rowViews = """
    CREATE VIEW transactions AS
    SELECT r.id, r.chain_id, CAST(r.transaction_id AS TEXT) AS transaction_id,
      CAST(r.web_order_line_item_id AS TEXT) AS web_order_line_item_id, s.product_id, s.subscription_group_identifier,
      s.quantity, r.purchase_date_ms,
      nullif(ifnull(r.original_purchase_date_ms,
        (SELECT c.common_original_purchase_date_ms FROM chains c WHERE c.id = r.chain_id)),
        \(ChainCommon.noDate.rawValue)) AS original_purchase_date_ms,
      r.expires_date_ms, r.cancellation_date_ms, s.cancellation_reason, s.is_trial_period, s.is_in_intro_offer_period,
      s.is_upgraded, s.in_app_ownership_type, s.promotional_offer_id, s.offer_code_ref_name,
      nullif(ifnull(r.app_account_token, (SELECT c.common_app_account_token FROM chains c WHERE c.id = r.chain_id)),
        \(ChainCommon.noToken)) AS app_account_token,
      ifnull(r.first_observed_at_ms, (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = r.chain_id))
        AS first_observed_at_ms,
      coalesce(r.observed_at_ms, r.first_observed_at_ms,
        (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = r.chain_id)) AS observed_at_ms,
      s.is_lagging, r.line_id, r.duplicate_of, s.kind, s.price_micros, s.currency, s.monthly_micros,
      iif(s.kind IS NULL, NULL, ifnull(r.effective_end_ms, r.expires_date_ms)) AS effective_end_ms, r.refunded_at_ms,
      s.refund_reason, s.upgraded, r.upgraded_at_ms, s.upgrade_confirmed, s.upgrade_direction, s.successor_product_id,
      r.prorated_refund_micros, s.outcome, s.period, s.change_direction, r.confirmed_at_ms, s.arrival, s.is_past_first_year,
      s.changed_from_product_id, r.cancelled_at_ms, s.is_signed, s.is_price_signed, s.storefront, r.partial_refund_micros
    FROM transaction_rows r CROSS JOIN transaction_shapes s ON s.id = r.shape_id;
    CREATE VIEW events AS
    SELECT e.chain_id * \(StoredEvents.placesOfChain) + e.place AS id, e.chain_id, s.is_family_share, s.type, s.apple_type,
      s.apple_subtype, s.reason,
      iif(typeof(e.transaction_id) = 'integer',
        (SELECT CAST(x.transaction_id AS TEXT) FROM transaction_rows x WHERE x.id = e.transaction_id), e.transaction_id)
        AS transaction_id,
      s.product_id, s.new_product_id, e.app_user_id, s.period_type, s.is_trial_conversion, e.effective_at_ms,
      ifnull(e.observed_at_ms, (SELECT c.common_observed_at_ms FROM chains c WHERE c.id = e.chain_id)) AS observed_at_ms,
      e.observed_after_ms, s.is_told_by_notification_alone, s.notification_type, e.notified_at_ms, s.flow,
      iif(typeof(e.transaction_id) = 'integer', e.transaction_id, NULL) AS transaction_row
    FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id;
    """

  /// Of an index that finds a shape by all of it.
  static func columns<Shape: StoredShape>(of shape: Shape.Type) -> String {
    shape.columns.joined(separator: ", ")
  }
}

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

/// What SQLite is not told to check, since it would look each reference up as it is written.
extension Schema {
  private static let unchecked: [(table: String, column: String, target: String)] = [
    ("transaction_rows", "shape_id", "transaction_shapes"), ("transaction_rows", "line_id", "lines"),
    ("transaction_rows", "duplicate_of", "transaction_rows"), ("event_rows", "shape_id", "event_shapes"),
    ("spans", "current_id", "transaction_rows"), ("spans", "renewal_info_id", "renewal_infos"),
    ("spans", "change_id", "change_classes"), ("spans", "position_id", "position_classes"),
    ("spans", "due_class_id", "fact_classes"),
    ("cohort_sums", "class_id", "cohort_classes"), ("lines", "cohort_class_id", "cohort_classes"),
    ("change_classes", "old_position_id", "position_classes"),
    ("change_classes", "new_position_id", "position_classes"),
  ]

  /// How many rows point to rows that are not there, or hold sums or numbers that cannot be.
  static func countDangling(_ db: Database) throws -> Int {
    try unchecked.reduce(0) { count, reference in
      let (table, column, target) = reference
      let found = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM \(table) r WHERE r.\(column) IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM \(target) t WHERE t.id = r.\(column))
          """)
      return count + (found ?? 0)
    } + countSumsOfNothing(db) + countOutOfRange(db)
  }

  /// Sums of classes that are not there, those that cannot be read, and those that so few rows cannot have.
  private static func countSumsOfNothing(_ db: Database) throws -> Int {
    let changes = try Set(Int64.fetchAll(db, sql: "SELECT id FROM change_classes"))
    let facts = try Set(Int64.fetchAll(db, sql: "SELECT id FROM fact_classes"))
    let isWhole = try StoredLedger.isWhole(db)
    var count = 0
    var statement = try BoundStatement("SELECT series, packed FROM sums", db)
    try statement.forEach { row in
      let series = LedgerSeries(numbered: row.count(0))
      let measure = LedgerMeasure(rawValue: row.count(0) / LedgerMeasure.apart) ?? .own
      let classes = series == .changes ? changes : facts
      do {
        count += try PackedSums.unpack(row.bytes(1)).count {
          !classes.contains($0.kind) || isWhole && !$0.sum.isPossible(measure, of: series)
        }
      } catch {
        count += 1
      }
    }
    return count
  }
}
