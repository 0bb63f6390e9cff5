import GRDB
import Subscriptions

/// Terms of transactions that only signed data has.
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

  /// Returns the terms by the row numbers of the transactions.
  static func fetch(_ page: ChainPage, _ db: Database) throws -> [Int64: SignedTerms] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT x.id, \(columns.map { "s." + $0 }.joined(separator: ", "))
        FROM transaction_rows x CROSS JOIN signed_terms s ON s.transaction_row = x.id
        WHERE x.chain_id BETWEEN ? AND ?
        """)
    let rows = try FetchedRow.fetchAll(
      statement, arguments: [page.records.first?.id, page.records.last?.id])
    return Dictionary(try rows.map { try ($0[0], SignedTerms($0)) }, uniquingKeysWith: { first, _ in first })
  }

  static func write(_ terms: SignedTerms, of rowID: Int64, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO signed_terms (transaction_row, \(columns.joined(separator: ", ")))
        VALUES (\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
        """)
    try statement.execute(arguments: [
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
  fileprivate init(_ row: FetchedRow) throws {
    self.init(signedAt: try row[1])
    price = try row.money(micros: 2, currency: 3)
    (pricedAt, pricedSince) = try (row[4], row[15])
    storefront = try row[5]
    reason = try row[6]
    offerPeriod = try row[7]
    winBackOfferID = try row[8]
    billingPlan = try row[9]
    appTransactionID = try row[16]
    (offerType, offerDiscountType) = try (row[22], row[23])
    if let signedAt = try row[17] as Instant? {
      commitment = try Commitment(
        signedAt: signedAt, billingPeriodNumber: row[18], totalBillingPeriods: row[19], expires: row[20],
        priceMicros: row.amount(21))
    }
    try add(revocation: (row[10], row[11], row[12], row[13]), earlier: row[14])
  }

  /// Earlier revocations, one per line: date, signing date, percentage or a dash, and type. `nil` if there
  /// are none.
  fileprivate var earlierRevocations: String? {
    let lines = revocations.dropLast().map { told in
      "\(told.date.rawValue) \(told.signedAt.rawValue) \(told.percentage.map(String.init) ?? "-") \(told.type ?? "")"
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
    add(
      Revocation(
        date: date, signedAt: signedAt, type: revocation.type, percentage: revocation.percentage))
  }
}
