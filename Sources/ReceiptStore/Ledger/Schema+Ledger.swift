/// Tables of the ledger: spans of lines' positions with the changes at their starts, episodes, and sums of
/// changes and dated facts.
extension Schema {
  /// A row of `spans` is a period of a line in one position (`Span`).
  /// - `current_id`: Transaction that determines the position.
  /// - `change_id`: Change at its start; NULL if no figure distinguishes it from the span before, and for
  ///   family-shared lines.
  /// - `monthly_micros`: Monthly price of the current transaction, in the currency of the position.
  /// - `access_end_ms`: NULL if it is the transaction's expiry.
  /// - `converted_micros`: `monthly_micros` in the reporting currency; NULL without one, or without a price.
  /// - `unconverted`: 1 if there is no rate.
  /// - `expires_ms`: Expiry, if the span has expired and may still be paid. It and the next two columns are
  ///   NULL for other spans and for family-shared lines.
  /// - `due_class_id`: Class that counts the period if it was not renewed.
  /// - `charge_…`: Signed price of the next renewal, while the period runs.
  /// - `user_number`: `Line.userNumber`; NULL if several users have the line.
  ///
  /// `spans_unpaid`, and `spans_unpaid_long` for long spans, cover every query for unpaid spans.
  ///
  /// A row of `episodes` is one of a line's episodes (`Episode`).
  /// - `family`: One of `FactFamily.ofEpisodes`; `class_id` is a row of `fact_classes`.
  /// - `current_id`: Its transaction.
  /// - `next_ms`: Instant of the awaited event.
  /// - `settled_ms`: Instant after which the episode can no longer change; only for families that are
  ///   searched by it.
  /// - `irregular_until_ms`: Instant until which only the line determines the outcome.
  /// - `later_…`: Purchases after an offer; `last_…`: the last of them, which may be in the future.
  /// - `expires_ms`: Expiry of the transaction, for pending consent to a higher price.
  ///
  /// `episodes_from` and `episodes_settled` are covering indexes.
  ///
  /// A row of `sums` has the sums of changes (`series` 0) or of a family of facts in one hour, day, 28 days
  /// or 364 days (`LedgerGrain`).
  /// - `series`: From 100 on, sums in the reporting currency (`LedgerMeasure`).
  /// - `at`: Number of the hour, day and so on since 1970.
  /// - `packed`: Sums of every class (`PackedSums`), by id of `change_classes` or `fact_classes`.
  ///
  /// `ledger_state` has one row.
  /// - `receipts`, `transactions`: Numbers of rows, since counting would read the whole tables.
  /// - `reporting_currency`: Currency that derived amounts are converted to; NULL if there is none.
  /// - `rates_fingerprint`: Fingerprint of the rates used.
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
