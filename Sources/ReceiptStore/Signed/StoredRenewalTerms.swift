import GRDB
import Subscriptions

/// What Apple signed of renewals and receipts never told, one for each period that they follow.
struct StoredRenewalTerms {
  let db: Database

  private static let columns = [
    "product_id", "renewal_date_ms", "signed_at_ms", "price_micros", "currency", "priced_at_ms",
    "recent_start_ms", "win_back_offer_ids", "billing_plan_type", "commitment_product_id",
    "commitment_auto_renew", "commitment_billing_plan_type", "commitment_renewal_ms",
    "commitment_price_micros", "has_commitment",
  ]

  /// Adds it to what is known.
  ///
  /// - Returns: whether it says anything new; when it was signed is nothing new.
  func keep(_ terms: RenewalTerms, of chain: ChainRecord) throws -> Bool {
    let old = try fetch(chain: chain).first {
      $0.productID == terms.productID && $0.renewalDate == terms.renewalDate
    }
    let sum = old?.adding(terms) ?? terms
    guard sum != old else { return false }
    try write(sum, of: chain)
    return old.map { !sum.says(theSameAs: $0) } ?? true
  }

  private func write(_ terms: RenewalTerms, of chain: ChainRecord) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO renewal_terms (chain_id, \(Self.columns.joined(separator: ", ")))
        VALUES (\(Array(repeating: "?", count: Self.columns.count + 1).joined(separator: ", ")))
        """)
    let (offers, commitment) = (terms.winBackOfferIDs, terms.commitment)
    try statement.execute(arguments: [
      chain.id, terms.productID, terms.renewalDate, terms.signedAt, terms.price?.amount.micros,
      terms.price?.amount.currency, terms.price?.signedAt, terms.recentSubscriptionStart,
      offers.isEmpty ? nil : offers.joined(separator: "\n"), terms.billingPlan,
      commitment?.autoRenewProductID, commitment?.autoRenewStatus, commitment?.billingPlan, commitment?.date,
      commitment?.priceMicros, commitment != nil,
    ])
  }

  /// - Parameter knownAt: what was signed later is left out.
  func fetch(chain: ChainRecord, knownAt: Instant = .distantFuture) throws -> [RenewalTerms] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(Self.columns.joined(separator: ", ")) FROM renewal_terms
        WHERE chain_id = ? AND signed_at_ms <= ? ORDER BY renewal_date_ms, product_id
        """)
    return try FetchedRow.fetchAll(statement, arguments: [chain.id, knownAt]).map { row in
      var terms = RenewalTerms(
        originalTransactionID: chain.original, productID: row[0], renewalDate: row[1], signedAt: row[2])
      if let amount = row.money(micros: 3, currency: 4), let signedAt = row[5] as Instant? {
        terms.price = RenewalTerms.Price(amount: amount, signedAt: signedAt)
      }
      terms.recentSubscriptionStart = row[6]
      terms.winBackOfferIDs = (row[7] as String?)?.split(separator: "\n").map(String.init) ?? []
      terms.billingPlan = row[8]
      if row[14] as Bool {
        terms.commitment = CommitmentRenewal(
          autoRenewProductID: row[9], autoRenewStatus: row[10], billingPlan: row[11], date: row[12],
          priceMicros: row[13])
      }
      return terms
    }
  }
}

extension RenewalTerms {
  fileprivate func says(theSameAs other: RenewalTerms) -> Bool {
    func undated(_ terms: RenewalTerms) -> RenewalTerms {
      var terms = terms
      terms.signedAt = .distantPast
      terms.price?.signedAt = .distantPast
      return terms
    }
    return undated(self) == undated(other)
  }
}
