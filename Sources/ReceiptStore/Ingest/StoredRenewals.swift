import GRDB
import Subscriptions

struct StoredRenewals {
  let chain: ChainRecord
  let rows: [StoredRenewal]
  let db: Database

  /// Updates the table to match a history, writing only differences.
  ///
  /// - Returns: Whether an info, or its first sighting, is new.
  func write(_ history: RenewalHistory) throws -> Bool {
    var (old, new) = (sets(of: rows.map(\.observation)), sets(of: history.observations))
    var hasNews = false
    // Rows of one instant are read in order of their numbers, so a set is kept or rewritten as a whole.
    for (from, set) in old {
      guard let other = new[from], other.map(\.info) == set.map(\.info) else { continue }
      if other != set {
        try update("observed_after_ms = ?", other[0].observedAfter, of: from)
      }
      (old[from], new[from]) = (nil, nil)
    }
    if old.count == 1, new.count == 1, let (was, before) = old.first, let (from, after) = new.first,
      before.map(\.info) == after.map(\.info)
    {
      try update("observed_after_ms = ?", after[0].observedAfter, of: was)
      try update("observed_at_ms = ?", from, of: was)
      return true
    }
    for from in old.keys.sorted() {
      try forget(from)
      hasNews = true
    }
    for from in new.keys.sorted() {
      for observation in new[from] ?? [] { try StoredRenewal.insert(observation, chain: chain, db) }
      hasNews = true
    }
    return hasNews
  }

  private func sets(of observations: [RenewalObservation]) -> [Instant: [RenewalObservation]] {
    Dictionary(grouping: observations, by: \.observedAt)
  }

  private func update(_ assignment: String, _ value: Instant?, of observedAt: Instant) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE renewal_infos SET \(assignment) WHERE chain_id = ? AND observed_at_ms = ?")
    try statement.execute(arguments: [value, chain.id, observedAt])
  }

  /// Deletes the infos of an instant. The spans that refer to them are derived anew afterwards.
  private func forget(_ observedAt: Instant) throws {
    let release = try db.cachedStatement(
      sql: """
        UPDATE spans SET renewal_info_id = NULL WHERE line_id IN (SELECT id FROM lines WHERE chain_id = ?1)
          AND renewal_info_id IN (SELECT id FROM renewal_infos WHERE chain_id = ?1 AND observed_at_ms = ?2)
        """)
    try release.execute(arguments: [chain.id, observedAt])
    let delete = try db.cachedStatement(
      sql: "DELETE FROM renewal_infos WHERE chain_id = ? AND observed_at_ms = ?")
    try delete.execute(arguments: [chain.id, observedAt])
  }
}

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

/// Sets of renewal infos that a chain has had, independent of the order in which answers arrived.
typealias RenewalHistory = ObservationIntervals<Set<RenewalInfo>>

extension ObservationIntervals<Set<RenewalInfo>> {
  /// Creates a history from stored observations. A set holds until the `observedAfter` of the next.
  ///
  /// - Parameters:
  ///   - observations: Observations, oldest first.
  ///   - last: Last validation with renewal infos, which showed the newest set.
  init(_ observations: [RenewalObservation], last: Instant?) {
    var runs: [Run] = []
    for seen in observations {
      if runs.last?.from == seen.observedAt {
        runs[runs.count - 1].value.insert(seen.info)
        continue
      }
      if let place = runs.indices.last, let through = seen.observedAfter {
        runs[place].through = max(runs[place].from, through)
      }
      runs.append(Run(from: seen.observedAt, through: seen.observedAt, value: [seen.info]))
    }
    if let place = runs.indices.last, let last { runs[place].through = max(runs[place].from, last) }
    self.init(runs)
  }

  /// One observation for each info, in a deterministic order.
  var observations: [RenewalObservation] {
    runs.indices.flatMap { index in
      let after = index > 0 ? runs[index - 1].through : nil
      return runs[index].value.sorted { $0.digest < $1.digest }.map {
        RenewalObservation(info: $0, observedAfter: after, observedAt: runs[index].from)
      }
    }
  }
}
