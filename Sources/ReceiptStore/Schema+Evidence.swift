extension Schema {
  /// Of migration 2: what each validation of a chain showed, so that no figure depends on the order in which answers came.
  ///
  /// Each run of equal sightings of a transaction that ever changed is in `transaction_changes`, the present one too.
  /// `validations` is null where they were not kept from the start: then those that brought something new stand for them.
  static let evidence = """
    ALTER TABLE chains ADD COLUMN answered_by INTEGER REFERENCES receipts (id);
    ALTER TABLE chains ADD COLUMN validations TEXT;
    ALTER TABLE transactions ADD COLUMN confirmed_at_ms INTEGER;
    ALTER TABLE transaction_changes ADD COLUMN through_ms INTEGER;
    ALTER TABLE transaction_changes ADD COLUMN is_lagging INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE gone_receipts (
      receipt_id INTEGER PRIMARY KEY REFERENCES receipts (id),
      gone_at_ms INTEGER NOT NULL
    ) STRICT;
    INSERT INTO gone_receipts (receipt_id, gone_at_ms)
    SELECT id, last_checked_at_ms FROM receipts WHERE last_status = 21010 AND last_checked_at_ms IS NOT NULL;
    UPDATE transaction_changes SET through_ms = observed_at_ms;
    INSERT OR IGNORE INTO transaction_changes (transaction_id, observed_at_ms, expires_date_ms, cancellation_date_ms,
      cancellation_reason, is_upgraded, is_lagging)
    SELECT x.id, x.observed_at_ms, x.expires_date_ms, x.cancellation_date_ms, x.cancellation_reason, x.is_upgraded,
      x.is_lagging FROM transactions x WHERE x.id IN (SELECT transaction_id FROM transaction_changes);
    """
}
