/// The ledger: spans of lines' positions, the changes with which they begin, and sums of those and of dated facts.
extension Schema {
  /// A row of `spans` is a stretch of a line's life in one position (`Span`).
  /// - `current_id`: the transaction by which the line is judged.
  /// - `change_id`: the change with which it begins; null where no figure tells it from the span before, and of family-shared lines.
  /// - `monthly_micros`: what the current transaction costs a month, in the currency of the position.
  /// - `access_end_ms`: null where it is the transaction's expiry.
  /// - `converted_micros`: `monthly_micros` in the reporting currency; null where there is none, or no price.
  /// - `unconverted`: 1 where there is no rate.
  /// - `expires_ms`: the expiry, where the span has expired and may yet be paid for; it and the next two are null of any other span, and
  ///   of family-shared lines.
  /// - `due_class_id`: the class in which the period is counted where nothing renewed it.
  /// - `charge_…`: what Apple signed that the next renewal costs, of a period that runs.
  /// - `user_number`: `Line.userNumber`; null where several users have the line.
  ///
  /// `spans_unpaid`, and `spans_unpaid_long` for the long ones, hold all that is asked of the spans that may yet be paid for.
  ///
  /// A row of `episodes` is one of a line's episodes (`Episode`).
  /// - `family`: one of `FactFamily.ofEpisodes`; `class_id` is a row of `fact_classes`.
  /// - `current_id`: its transaction.
  /// - `next_ms`: when what it waits for has come.
  /// - `settled_ms`: from when on nothing of it changes any more; only of families that are looked up by it.
  /// - `irregular_until_ms`: until when only the line itself tells how it stands.
  /// - `later_…`: what was bought after an offer; `last_…`: the last purchase of these, which may be in the future.
  /// - `expires_ms`: the transaction's expiry, of those who have not agreed to a higher price.
  ///
  /// `episodes_from` and `episodes_settled` hold all that is asked of them, so that no row is looked up.
  ///
  /// A row of `sums` adds up changes (`series` 0) or facts (a family each) of an hour, a day, 28 days or 364 days (`LedgerGrain`).
  /// - `series`: from 100 on the same in the reporting currency (`LedgerMeasure`).
  /// - `at`: the number of the hour, day and so on since 1970.
  /// - `packed`: the sums of every class (`PackedSums`), which are rows of `change_classes` or of `fact_classes`.
  ///
  /// `ledger_state` has one row.
  /// - `receipts`, `transactions`: how many there are, since to count them would read the tables from end to end. Other ids of a purchase
  ///   are no transactions.
  /// - `reporting_currency`: what derived amounts are converted to; null where there is none.
  /// - `rates_fingerprint`: of the rates by which they are.
  static let ledger = """
    CREATE TABLE ledger_state (
      rule INTEGER NOT NULL,
      is_complete INTEGER NOT NULL,
      receipts INTEGER NOT NULL,
      transactions INTEGER NOT NULL,
      reporting_currency TEXT,
      rates_fingerprint INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO ledger_state (rule, is_complete, receipts, transactions) VALUES (\(LedgerBook.rule), 1, 0, 0);
    CREATE TRIGGER receipts_added AFTER INSERT ON receipts
      BEGIN UPDATE ledger_state SET receipts = receipts + 1; END;
    CREATE TRIGGER receipts_removed AFTER DELETE ON receipts
      BEGIN UPDATE ledger_state SET receipts = receipts - 1; END;
    CREATE TABLE position_classes (
      id INTEGER PRIMARY KEY,
      environment TEXT NOT NULL,
      state TEXT NOT NULL,
      product_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      auto_renew INTEGER,
      reason TEXT,
      currency TEXT,
      is_unseen INTEGER NOT NULL,
      is_change_pending INTEGER NOT NULL,
      storefront TEXT
    ) STRICT;
    CREATE INDEX position_classes_alike ON position_classes (\(columns(of: PositionShape.self)));
    CREATE TABLE change_classes (
      id INTEGER PRIMARY KEY,
      old_position_id INTEGER,
      new_position_id INTEGER NOT NULL,
      flow TEXT
    ) STRICT;
    CREATE INDEX change_classes_alike ON change_classes (\(columns(of: ChangeShape.self)));
    CREATE TABLE spans (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      from_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      position_id INTEGER NOT NULL,
      change_id INTEGER,
      monthly_micros INTEGER NOT NULL,
      current_id INTEGER NOT NULL,
      renewal_info_id INTEGER,
      access_end_ms INTEGER,
      expires_ms INTEGER,
      due_class_id INTEGER,
      user_number INTEGER,
      converted_micros INTEGER,
      unconverted INTEGER,
      charge_micros INTEGER,
      charge_currency TEXT,
      PRIMARY KEY (line_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX spans_from ON spans (from_ms);
    CREATE INDEX spans_unpaid ON spans (from_ms, until_ms, position_id, expires_ms, due_class_id, user_number)
      WHERE expires_ms IS NOT NULL AND \(StoreQuery.isShort);
    CREATE INDEX spans_unpaid_long ON spans (until_ms, from_ms, position_id, expires_ms, due_class_id, user_number)
      WHERE expires_ms IS NOT NULL AND NOT (\(StoreQuery.isShort));
    CREATE TABLE episodes (
      line_id INTEGER NOT NULL REFERENCES lines (id) ON DELETE CASCADE,
      family INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      current_id INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      next_ms INTEGER,
      settled_ms INTEGER,
      class_id INTEGER NOT NULL,
      micros INTEGER,
      converted_micros INTEGER,
      unconverted INTEGER,
      irregular_until_ms INTEGER,
      later_class_id INTEGER,
      later_count INTEGER,
      later_micros INTEGER,
      later_converted_micros INTEGER,
      later_unconverted INTEGER,
      last_ms INTEGER,
      last_count INTEGER,
      last_micros INTEGER,
      last_converted_micros INTEGER,
      last_unconverted INTEGER,
      expires_ms INTEGER,
      PRIMARY KEY (line_id, family, from_ms, current_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX episodes_from ON episodes (family, from_ms, until_ms, next_ms, class_id, micros, converted_micros,
      unconverted, irregular_until_ms);
    CREATE INDEX episodes_settled ON episodes (family, settled_ms, from_ms, until_ms, next_ms, class_id, micros,
      converted_micros, unconverted, irregular_until_ms, last_ms, expires_ms) WHERE settled_ms IS NOT NULL;
    CREATE TABLE fact_classes (
      id INTEGER PRIMARY KEY,
      family INTEGER NOT NULL,
      environment TEXT NOT NULL,
      product_id TEXT NOT NULL,
      detail TEXT NOT NULL,
      currency TEXT,
      storefront TEXT
    ) STRICT;
    CREATE INDEX fact_classes_alike ON fact_classes (\(columns(of: FactShape.self)));
    CREATE TABLE sums (
      series INTEGER NOT NULL,
      grain INTEGER NOT NULL,
      at INTEGER NOT NULL,
      packed BLOB NOT NULL,
      PRIMARY KEY (series, grain, at)
    ) STRICT, WITHOUT ROWID;
    """
}
