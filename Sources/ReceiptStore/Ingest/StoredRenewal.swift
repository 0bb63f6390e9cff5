import GRDB
import Subscriptions

struct StoredRenewal: StoredRow {
  private var chainID: Int64 = 0
  private(set) var observation = RenewalObservation(info: RenewalInfo(), observedAt: .distantPast)

  static let sql = RowSQL(Self(), "renewal_infos")

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("chain_id", &chainID)
    columns.map("observed_after_ms", &observation.observedAfter)
    columns.map("observed_at_ms", &observation.observedAt)
    columns.map("original_transaction_id", &observation.info.originalTransactionID)
    columns.map("product_id", &observation.info.productID)
    columns.map("auto_renew_product_id", &observation.info.autoRenewProductID)
    columns.map("auto_renew_status", &observation.info.autoRenewStatus)
    var intent = observation.info.expirationIntent?.rawValue
    columns.map("expiration_intent", &intent)
    observation.info.expirationIntent = intent.map { ExpirationIntent($0) }
    columns.map("is_in_billing_retry_period", &observation.info.isInBillingRetryPeriod)
    columns.map(date: "grace_period_expires_date_ms", &observation.info.gracePeriodExpiresDate)
    columns.map("price_consent_status", &observation.info.priceConsentStatus)
    columns.map("price_increase_status", &observation.info.priceIncreaseStatus)
    columns.map("promotional_offer_id", &observation.info.promotionalOfferID)
    columns.map("offer_code_ref_name", &observation.info.offerCodeRefName)
  }

  static func fetch(
    _ page: ChainPage, _ db: Database
  ) throws -> [[(rowID: Int64, observation: RenewalObservation)]] {
    let place = CInt(sql.columns.count)
    return try page.rows(
      """
      \(sql.select), id FROM renewal_infos WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, observed_at_ms, id
      """, db
    ) { (rowID: $1[place], observation: StoredRenewal($1).observation) }
  }

  /// Writes the differences from the stored rows; returns whether an info or its first observation changed.
  static func write(
    _ history: RenewalHistory, replacing old: [RenewalObservation], of chain: ChainRecord, _ db: Database
  ) throws -> Bool {
    let new = history.observations
    let before = Dictionary(grouping: old, by: \.observedAt)
    let after = Dictionary(grouping: new, by: \.observedAt)
    // Rows of one instant are read in order of id, so a changed set is rewritten completely.
    for (t, set) in before where after[t] != set {
      for observation in set { try StoredRenewal(chainID: chain.id, observation: observation).delete(db) }
    }
    for (t, set) in after where before[t] != set {
      for observation in set { try StoredRenewal(chainID: chain.id, observation: observation).insert(db) }
    }
    func undated(_ observations: [RenewalObservation]) -> Set<RenewalObservation> {
      Set(observations.map { RenewalObservation(info: $0.info, observedAt: $0.observedAt) })
    }
    return undated(new) != undated(old)
  }
}

/// Sets of renewal infos that a chain had over time, independent of the order in which answers arrived.
typealias RenewalHistory = ObservationIntervals<Set<RenewalInfo>>

extension ObservationIntervals<Set<RenewalInfo>> {
  /// Creates a history from stored observations; a set of infos ends at `observedAfter` of the next set.
  ///
  /// - Parameter last: Instant of the last validation with renewal infos, which showed the newest set.
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
