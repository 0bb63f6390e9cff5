import GRDB
import Subscriptions

/// Terms of renewals that only signed data has, one for each period before the renewal.
struct StoredRenewalTerms {
  let db: Database

  private static let columns = [
    "product_id", "renewal_date_ms", "signed_at_ms", "price_micros", "currency", "priced_at_ms",
    "recent_start_ms", "win_back_offer_ids", "billing_plan_type", "commitment_product_id",
    "commitment_auto_renew", "commitment_billing_plan_type", "commitment_renewal_ms",
    "commitment_price_micros", "has_commitment",
  ]

  /// Merges terms into the stored ones.
  ///
  /// - Returns: Whether there is anything new except the signing date.
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
      chain.id, terms.productID, terms.renewalDate, terms.signedAt, terms.price?.amount.single,
      terms.price?.amount.currency, terms.price?.signedAt, terms.recentSubscriptionStart,
      offers.isEmpty ? nil : offers.joined(separator: "\n"), terms.billingPlan,
      commitment?.autoRenewProductID, commitment?.autoRenewStatus, commitment?.billingPlan, commitment?.date,
      commitment?.priceMicros, commitment != nil,
    ])
  }

  private func fetch(chain: ChainRecord) throws -> [RenewalTerms] { try fetch(ChainPage([chain]))[0] }

  func fetch(_ page: ChainPage) throws -> [[RenewalTerms]] {
    try page.rows(
      """
      SELECT chain_id, \(Self.columns.joined(separator: ", ")) FROM renewal_terms
      WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, renewal_date_ms, product_id
      """, db
    ) { chain, row in
      guard let product: ProductID = row.text(1), let renewal = row.appleDate(2), let signed = row.instant(3)
      else { return nil }
      var terms = RenewalTerms(
        originalTransactionID: chain.original, productID: product, renewalDate: renewal, signedAt: signed)
      if let micros = row.amount(4), let currency: CurrencyCode = row.text(5), let signed = row.appleDate(6) {
        terms.price = RenewalTerms.Price(amount: Money(micros: micros, currency: currency), signedAt: signed)
      }
      terms.recentSubscriptionStart = row.appleDate(7)
      terms.winBackOfferIDs = row.text(8)?.split(separator: "\n").map(String.init) ?? []
      terms.billingPlan = row.text(9)
      if row[15] != 0 {
        terms.commitment = CommitmentRenewal(
          autoRenewProductID: row.text(10), autoRenewStatus: row.number(11).map { $0 != 0 },
          billingPlan: row.text(12), date: row.appleDate(13), priceMicros: row.amount(14))
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
