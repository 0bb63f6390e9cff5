import GRDB
import Subscriptions

/// What the queue's lines are waiting for, and how much is known of them.
extension QueueQuestion {
  /// What the policy costs while the population stays as it is. A line counts with every receipt that is asked about it.
  func costs() throws -> [DuePolicy.Cost] {
    let (isImportant, names) = importance
    let strata = try rows(
      """
      SELECT j.state, ifnull(j.price_consent_status = '0', 0) AS pending, \(isImportant) AS important,
        j.expires_date_ms <= :now - \(policy.longLapsedAfter) AS is_long, count(*),
        sum(iif(j.expires_date_ms > j.purchase_date_ms,
          \(Milliseconds.day).0 / (j.expires_date_ms - j.purchase_date_ms), 0.0))
      FROM (\(StateSQL.judgedLines(at: ":now"))) AS j
        JOIN receipt_chains k ON k.chain_id = j.chain_id
        JOIN receipts q ON q.id = k.receipt_id AND q.has_contents AND q.dead_reason IS NULL
      GROUP BY j.state, pending, important, is_long
      """, names
    ).compactMap(stratum)
    let lineless: Int =
      try rows(
        """
        SELECT count(*) FROM receipts q
        WHERE q.has_contents AND q.dead_reason IS NULL AND q.last_validated_at_ms IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM receipt_chains k JOIN lines l ON l.chain_id = k.chain_id WHERE k.receipt_id = q.id)
        """
      ).first?[0] ?? 0
    return policy.costs(of: strata, linelessReceipts: lineless)
  }

  private func stratum(_ row: FetchedRow) -> DuePolicy.Stratum? {
    guard let state = row[0] as LineState? else { return nil }
    var stratum = DuePolicy.Stratum(state: state, lines: row[4], expiriesPerDay: row[5])
    (stratum.isPriceConsentPending, stratum.isImportant) = (row[1], row[2])
    stratum.isLongLapsed = (state == .expired || state == .revoked) && row[3] as Bool
    return stratum
  }

  /// Whether a line `j` of a receipt `q` is important, as SQL, with the names in it.
  private var importance: (sql: String, names: [String: (any DatabaseValueConvertible)?]) {
    var names: [String: (any DatabaseValueConvertible)?] = [:]
    for (index, product) in policy.important.products.sorted().enumerated() {
      names["product\(index)"] = product
    }
    let products = names.keys.map { ":" + $0 }.joined(separator: ", ")
    var users: [String] = []
    for (index, user) in policy.important.users.sorted().enumerated() {
      names["user\(index)"] = user
      users.append(":user\(index)")
    }
    return ("(j.product_id IN (\(products)) OR q.app_user_id IN (\(users.joined(separator: ", "))))", names)
  }

  /// How long ago the lines with access were validated.
  func freshness() throws -> QueueReport.AgeQuantiles? {
    let question = Question(panel: .overview, at: now, environment: .all)
    let asking = Asking(db: db, question: question, catalog: .empty)
    let instants = try asking.rows(
      """
      SELECT validated_at_ms FROM (\(asking.judged))
      WHERE state IN ('trial', 'active', 'grace') AND validated_at_ms IS NOT NULL ORDER BY validated_at_ms DESC
      """)
    let ages = instants.map { now - ($0[0] as Instant) }
    guard let oldest = ages.last else { return nil }
    return QueueReport.AgeQuantiles(
      p50: Self.quantile(0.5, of: ages), p95: Self.quantile(0.95, of: ages), max: oldest)
  }

  /// METRICS §4, Detection lag: of what validations showed, apart from the first one of a chain, which tells its whole past.
  func detectionLag() throws -> [QueueReport.DetectionLag] {
    let learnt = try rows(
      """
      SELECT e.type, e.observed_at_ms - e.effective_at_ms AS lag FROM events e
      WHERE e.observed_at_ms > :now - \(28 * Milliseconds.day) AND e.observed_at_ms <= :now
        AND e.observed_after_ms IS NULL AND NOT e.is_told_by_notification_alone
        AND EXISTS (SELECT 1 FROM receipt_chains k
          WHERE k.chain_id = e.chain_id AND k.first_observed_at_ms < e.observed_at_ms)
      ORDER BY e.type, lag
      """)
    return Dictionary(grouping: learnt) { $0[0] as String }.map { type, rows in
      let lags = rows.map { $0[1] as Int64 }
      return QueueReport.DetectionLag(
        type: type, count: lags.count, p50: Self.quantile(0.5, of: lags), p95: Self.quantile(0.95, of: lags))
    }.sorted { $0.type < $1.type }
  }

  /// Of sorted values that are not empty: the smallest that so large a share of them does not exceed.
  private static func quantile(_ share: Double, of sorted: [Int64]) -> Int64 {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}
