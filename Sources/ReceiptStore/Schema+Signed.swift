extension Schema {
  /// Signed data.
  ///
  /// - `signed_terms` has the values of a transaction that only signed data has.
  /// - `renewal_terms` has the values of a renewal that only signed data has; its win-back offers are
  ///   separated by newlines.
  /// - `signed_rows` has the newest signed data of each transaction, and of each chain's next renewal by
  ///   product. Header, payload and signature restore the original. `transaction_row` is 0 for a renewal;
  ///   `product_id` is '' for a transaction.
  static let signed = """
    CREATE TABLE signed_terms (
      transaction_row INTEGER PRIMARY KEY REFERENCES transaction_rows (id),
      signed_at_ms INTEGER NOT NULL,
      price_micros INTEGER,
      currency TEXT,
      priced_at_ms INTEGER,
      storefront TEXT,
      transaction_reason TEXT,
      offer_period TEXT,
      win_back_offer_id TEXT,
      billing_plan_type TEXT,
      revocation_date_ms INTEGER,
      revocation_signed_at_ms INTEGER,
      revocation_type TEXT,
      revocation_percentage INTEGER,
      earlier_revocations TEXT,
      priced_since_ms INTEGER,
      app_transaction_id TEXT,
      commitment_signed_at_ms INTEGER,
      commitment_period_number INTEGER,
      commitment_total_periods INTEGER,
      commitment_expires_ms INTEGER,
      commitment_price_micros INTEGER,
      offer_type INTEGER,
      offer_discount_type TEXT
    ) STRICT;
    CREATE INDEX signed_terms_signed ON signed_terms (signed_at_ms);
    CREATE INDEX signed_terms_account ON signed_terms (app_transaction_id) WHERE app_transaction_id IS NOT NULL;
    CREATE TABLE renewal_terms (
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      product_id TEXT NOT NULL,
      renewal_date_ms INTEGER NOT NULL,
      signed_at_ms INTEGER NOT NULL,
      price_micros INTEGER,
      currency TEXT,
      priced_at_ms INTEGER,
      recent_start_ms INTEGER,
      win_back_offer_ids TEXT,
      billing_plan_type TEXT,
      commitment_product_id TEXT,
      commitment_auto_renew INTEGER,
      commitment_billing_plan_type TEXT,
      commitment_renewal_ms INTEGER,
      commitment_price_micros INTEGER,
      has_commitment INTEGER NOT NULL,
      PRIMARY KEY (chain_id, product_id, renewal_date_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE signed_headers (
      id INTEGER PRIMARY KEY,
      header TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE signed_rows (
      chain_id INTEGER NOT NULL REFERENCES chains (id),
      transaction_row INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      signed_at_ms INTEGER NOT NULL,
      header_id INTEGER NOT NULL REFERENCES signed_headers (id),
      payload TEXT NOT NULL,
      signature TEXT NOT NULL,
      PRIMARY KEY (chain_id, transaction_row, product_id)
    ) STRICT, WITHOUT ROWID;
    """
}
