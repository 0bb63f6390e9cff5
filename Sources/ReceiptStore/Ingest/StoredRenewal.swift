import GRDB
import Subscriptions

struct StoredRenewal: Sendable {
  var rowID: Int64
  var observation: RenewalObservation

  private static let columns = """
    r.chain_id, r.id, r.observed_after_ms, r.observed_at_ms, r.original_transaction_id, r.product_id,
    r.auto_renew_product_id, r.auto_renew_status, r.expiration_intent, r.is_in_billing_retry_period,
    r.grace_period_expires_date_ms, r.price_consent_status, r.price_increase_status, r.promotional_offer_id,
    r.offer_code_ref_name
    """

  private init(rowID: Int64, observation: RenewalObservation) {
    (self.rowID, self.observation) = (rowID, observation)
  }

  private init(_ row: BoundStatement.Columns) {
    rowID = row[1]
    var info = RenewalInfo()
    info.originalTransactionID = row.text(4)
    info.productID = row.text(5)
    info.autoRenewProductID = row.text(6)
    info.autoRenewStatus = row.flag(7)
    info.expirationIntent = (row.text(8) as String?).map(ExpirationIntent.init)
    info.isInBillingRetryPeriod = row.flag(9)
    info.gracePeriodExpiresDate = row.appleDate(10)
    info.priceConsentStatus = row.text(11)
    info.priceIncreaseStatus = row.text(12)
    info.promotionalOfferID = row.text(13)
    info.offerCodeRefName = row.text(14)
    observation = RenewalObservation(
      info: info, observedAfter: row.instant(2), observedAt: row.instant(3) ?? .distantPast)
  }

  static func fetch(chain: ChainRecord, _ db: Database) throws -> [StoredRenewal] {
    try fetch(ChainPage([chain]), db)[0]
  }

  static func fetch(_ page: ChainPage, _ db: Database) throws -> [[StoredRenewal]] {
    try page.rows(
      """
      SELECT \(columns) FROM renewal_infos r WHERE r.chain_id BETWEEN ? AND ?
      ORDER BY r.chain_id, r.observed_at_ms, r.id
      """, db
    ) { StoredRenewal($1) }
  }

  @discardableResult
  static func insert(
    _ observation: RenewalObservation, chain: ChainRecord, _ db: Database
  ) throws -> StoredRenewal {
    let info = observation.info
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO renewal_infos (chain_id, observed_after_ms, observed_at_ms, original_transaction_id, product_id,
          auto_renew_product_id, auto_renew_status, expiration_intent, is_in_billing_retry_period,
          grace_period_expires_date_ms, price_consent_status, price_increase_status, promotional_offer_id,
          offer_code_ref_name)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      chain.id, observation.observedAfter, observation.observedAt, info.originalTransactionID, info.productID,
      info.autoRenewProductID, info.autoRenewStatus, info.expirationIntent?.rawValue,
      info.isInBillingRetryPeriod,
      info.gracePeriodExpiresDate, info.priceConsentStatus, info.priceIncreaseStatus, info.promotionalOfferID,
      info.offerCodeRefName,
    ])
    return StoredRenewal(rowID: db.lastInsertedRowID, observation: observation)
  }
}
