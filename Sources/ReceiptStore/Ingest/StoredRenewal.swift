import GRDB
import Subscriptions

/// A renewal info as it stands in the table.
struct StoredRenewal {
  var rowID: Int64
  var observation: RenewalObservation

  static let columns = """
    r.id, r.observed_after_ms, r.observed_at_ms, r.original_transaction_id, r.product_id, r.auto_renew_product_id,
    r.auto_renew_status, r.expiration_intent, r.is_in_billing_retry_period, r.grace_period_expires_date_ms,
    r.price_consent_status, r.price_increase_status, r.promotional_offer_id, r.offer_code_ref_name
    """

  private init(rowID: Int64, observation: RenewalObservation) {
    (self.rowID, self.observation) = (rowID, observation)
  }

  init(_ row: FetchedRow) {
    rowID = row[0]
    var info = RenewalInfo()
    info.originalTransactionID = row[3]
    info.productID = row[4]
    info.autoRenewProductID = row[5]
    info.autoRenewStatus = row[6]
    info.expirationIntent = (row[7] as String?).map(ExpirationIntent.init)
    info.isInBillingRetryPeriod = row[8]
    info.gracePeriodExpiresDate = row[9]
    info.priceConsentStatus = row[10]
    info.priceIncreaseStatus = row[11]
    info.promotionalOfferID = row[12]
    info.offerCodeRefName = row[13]
    observation = RenewalObservation(info: info, observedAfter: row[1], observedAt: row[2])
  }

  static func fetch(chain: ChainRecord, _ db: Database) throws -> [StoredRenewal] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM renewal_infos r WHERE r.chain_id = ? ORDER BY r.observed_at_ms, r.id")
    return try FetchedRow.fetchAll(statement, arguments: [chain.id]).map(StoredRenewal.init)
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
