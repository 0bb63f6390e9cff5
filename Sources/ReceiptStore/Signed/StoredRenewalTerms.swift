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

  /// - Parameter knownAt: what was signed later is left out.
  func fetch(chain: ChainRecord, knownAt: Instant = .distantFuture) throws -> [RenewalTerms] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT product_id, renewal_date_ms, signed_at_ms, price_micros, currency FROM renewal_terms
        WHERE chain_id = ? AND signed_at_ms <= ? ORDER BY renewal_date_ms, product_id
        """)
    return try FetchedRow.fetchAll(statement, arguments: [chain.id, knownAt]).compactMap { row in
      row.money(micros: 3, currency: 4).map { price in
        RenewalTerms(
          originalTransactionID: chain.original, productID: row[0], renewalDate: row[1], signedAt: row[2],
          price: price)
      }
    }
  }

  /// The newer word wins, and of two of one instant always the same.
  private static func order(_ terms: RenewalTerms) -> (Instant, Int64, String) {
    (terms.signedAt, terms.price.micros, terms.price.currency.rawValue)
  }
}
