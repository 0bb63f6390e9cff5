import GRDB
import Subscriptions

/// What renewals will cost, as Apple signed it last, one for each period that they follow.
struct StoredRenewalTerms {
  let db: Database

  /// Keeps it in place of an older one.
  ///
  /// - Returns: whether it says anything new.
  func keep(_ terms: RenewalTerms, of chain: ChainRecord) throws -> Bool {
    let old = try fetch(chain: chain).first {
      $0.productID == terms.productID && $0.renewalDate == terms.renewalDate
    }
    if let old, Self.order(terms) <= Self.order(old) { return false }
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO renewal_terms (chain_id, product_id, renewal_date_ms, signed_at_ms, price_micros, currency)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      chain.id, terms.productID, terms.renewalDate, terms.signedAt, terms.price.micros, terms.price.currency,
    ])
    return old?.price != terms.price
  }

  private func fetch(chain: ChainRecord) throws -> [RenewalTerms] { try fetch(ChainPage([chain]))[0] }

  /// Those of each chain.
  func fetch(_ page: ChainPage) throws -> [[RenewalTerms]] {
    try page.rows(
      """
      SELECT chain_id, product_id, renewal_date_ms, signed_at_ms, price_micros, currency FROM renewal_terms
      WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, renewal_date_ms, product_id
      """, db
    ) { chain, row in
      guard let product: ProductID = row.text(1), let renewal = row.instant(2), let signed = row.instant(3),
        let currency: CurrencyCode = row.text(5)
      else { return nil }
      return RenewalTerms(
        originalTransactionID: chain.original, productID: product, renewalDate: renewal, signedAt: signed,
        price: Money(micros: row[4], currency: currency))
    }
  }

  /// The newer word wins, and of two of one instant always the same.
  private static func order(_ terms: RenewalTerms) -> (Instant, Int64, String) {
    (terms.signedAt, terms.price.micros, terms.price.currency.rawValue)
  }
}
