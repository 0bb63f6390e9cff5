import GRDB
import Subscriptions

/// Storage of signed terms: data that only signed transactions have, such as prices and revocations.
enum StoredTerms {
  private static let columns = [
    "signed_at_ms", "price_micros", "currency", "priced_at_ms", "storefront", "transaction_reason",
    "offer_period", "win_back_offer_id", "billing_plan_type", "revocation_date_ms", "revocation_signed_at_ms",
    "revocation_type", "revocation_percentage", "earlier_revocations", "priced_since_ms",
    "app_transaction_id",
    "commitment_signed_at_ms", "commitment_period_number", "commitment_total_periods",
    "commitment_expires_ms",
    "commitment_price_micros", "offer_type", "offer_discount_type",
  ]

  static func fetch(_ page: ChainPage, _ db: Database) throws -> [Int64: SignedTerms] {
    var terms: [Int64: SignedTerms] = [:]
    try db.forEach(
      """
      SELECT x.id, \(columns.map { "s." + $0 }.joined(separator: ", "))
      FROM transaction_rows x CROSS JOIN signed_terms s ON s.transaction_row = x.id
      WHERE x.chain_id BETWEEN ? AND ?
      """, [page.records.first?.id, page.records.last?.id]
    ) { terms[$0[0]] = try SignedTerms($0) }
    return terms
  }

  static func write(_ terms: SignedTerms, of rowID: Int64, _ db: Database) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO signed_terms (transaction_row, \(columns.joined(separator: ", ")))
      VALUES (\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
      """,
      [
        rowID, terms.signedAt, terms.price?.single, terms.price?.currency, terms.pricedAt, terms.storefront,
        terms.reason, terms.offerPeriod, terms.winBackOfferID, terms.billingPlan, terms.revocation?.date,
        terms.revocation?.signedAt, terms.revocation?.type, terms.revocation?.percentage,
        terms.earlierRevocations, terms.pricedSince,
        terms.appTransactionID, terms.commitment?.signedAt, terms.commitment?.billingPeriodNumber,
        terms.commitment?.totalBillingPeriods, terms.commitment?.expires, terms.commitment?.priceMicros,
        terms.offerType, terms.offerDiscountType,
      ])
  }
}

extension SignedTerms {
  fileprivate init(_ row: BoundStatement.Columns) throws {
    self.init(signedAt: try row.read(1))
    price = row.money(2)
    (pricedAt, pricedSince) = try (row.read(4), row.read(15))
    storefront = try row.read(5)
    reason = try row.read(6)
    offerPeriod = try row.read(7)
    winBackOfferID = try row.read(8)
    billingPlan = try row.read(9)
    appTransactionID = try row.read(16)
    (offerType, offerDiscountType) = try (row.read(22), row.read(23))
    if let signedAt = try row.read(17) as Instant? {
      commitment = try Commitment(
        signedAt: signedAt, billingPeriodNumber: row.read(18), totalBillingPeriods: row.read(19),
        expires: row.read(20), priceMicros: row.amount(21))
    }
    try add(revocation: (row.read(10), row.read(11), row.read(12), row.read(13)), earlier: row.read(14))
  }

  /// Earlier revocations, one per line: date, signing date, percentage or a dash, and type; `nil` if none.
  fileprivate var earlierRevocations: String? {
    let lines = revocations.dropLast().map { old in
      "\(old.date.rawValue) \(old.signedAt.rawValue) \(old.percentage.map(String.init) ?? "-") \(old.type ?? "")"
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  mutating func add(
    revocation: (date: Instant?, signedAt: Instant?, type: String?, percentage: Int64?), earlier: String?
  ) {
    for line in earlier?.split(separator: "\n") ?? [] {
      let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let date = Int64(parts[0]), let signedAt = Int64(parts[1]) else { continue }
      add(
        Revocation(
          date: Instant(milliseconds: date), signedAt: Instant(milliseconds: signedAt),
          type: parts[3].isEmpty ? nil : String(parts[3]), percentage: Int64(parts[2])))
    }
    guard let date = revocation.date, let signedAt = revocation.signedAt else { return }
    add(Revocation(date: date, signedAt: signedAt, type: revocation.type, percentage: revocation.percentage))
  }
}

/// Terms of renewals that only signed data contains, such as prices, by product and renewal date.
struct StoredRenewalTerms {
  let db: Database

  private static let columns = [
    "product_id", "renewal_date_ms", "signed_at_ms", "price_micros", "currency", "priced_at_ms",
    "recent_start_ms", "win_back_offer_ids", "billing_plan_type", "commitment_product_id",
    "commitment_auto_renew", "commitment_billing_plan_type", "commitment_renewal_ms",
    "commitment_price_micros", "has_commitment",
  ]

  /// Merges terms into the stored ones, and returns whether anything changed except signing dates.
  func keep(_ terms: RenewalTerms, of chain: ChainRecord) throws -> Bool {
    let old = try fetch(chain: chain).first {
      $0.productID == terms.productID && $0.renewalDate == terms.renewalDate
    }
    let sum = old?.adding(terms) ?? terms
    guard sum != old else { return false }
    try write(sum, of: chain)
    return old.map { !sum.isEquivalent(to: $0) } ?? true
  }

  private func write(_ terms: RenewalTerms, of chain: ChainRecord) throws {
    let (offers, commitment) = (terms.winBackOfferIDs, terms.commitment)
    try db.run(
      """
      INSERT OR REPLACE INTO renewal_terms (chain_id, \(Self.columns.joined(separator: ", ")))
      VALUES (\(Array(repeating: "?", count: Self.columns.count + 1).joined(separator: ", ")))
      """,
      [
        chain.id, terms.productID, terms.renewalDate, terms.signedAt, terms.price?.amount.single,
        terms.price?.amount.currency, terms.price?.signedAt, terms.recentSubscriptionStart,
        offers.isEmpty ? nil : offers.joined(separator: "\n"), terms.billingPlan,
        commitment?.autoRenewProductID, commitment?.autoRenewStatus, commitment?.billingPlan,
        commitment?.date, commitment?.priceMicros, commitment != nil,
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
  fileprivate func isEquivalent(to other: RenewalTerms) -> Bool {
    func undated(_ terms: RenewalTerms) -> RenewalTerms {
      var terms = terms
      terms.signedAt = .distantPast
      terms.price?.signedAt = .distantPast
      return terms
    }
    return undated(self) == undated(other)
  }
}
