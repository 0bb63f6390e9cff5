import GRDB
import Subscriptions

/// METRICS §5, Intro eligibility: who used up a group's introductory offer.
struct IntroOfferUse {
  let db: Database
  let knownAt: Instant

  /// The earliest trial or introductory transaction of the line's users in its group and environment, by an instant.
  func find(_ line: Line, chain: ChainRecord, by t: Instant) throws -> TransactionID? {
    let users = Array(line.users.sorted())
    let group = line.id.subscriptionGroupID
    let ofUsers =
      users.isEmpty || group == nil
      ? ""
      : """
       UNION SELECT k.chain_id FROM receipts q JOIN receipt_chains k ON k.receipt_id = q.id
          WHERE q.app_user_id IN (\(users.indices.map { ":user\($0)" }.joined(separator: ", "))) AND q.app_user_id <> ''
            AND k.first_observed_at_ms <= :known
      """
    var arguments: [String: (any DatabaseValueConvertible)?] = [
      "chain": chain.id, "group": group?.rawValue ?? "", "environment": line.id.environment.rawValue, "t": t,
      "known": knownAt,
    ]
    for (index, user) in users.enumerated() { arguments["user\(index)"] = user }
    return try TransactionID.fetchOne(
      db,
      sql: """
        SELECT x.transaction_id FROM (SELECT :chain AS id\(ofUsers)) AS f CROSS JOIN chains c ON c.id = f.id
          CROSS JOIN lines l ON l.chain_id = c.id CROSS JOIN transactions x ON x.chain_id = c.id AND x.line_id = l.id
        WHERE c.environment = :environment AND l.subscription_group_id = :group AND NOT l.is_family_shared
          AND x.kind IN ('trial', 'intro') AND x.purchase_date_ms <= :t
          AND x.first_observed_at_ms <= :known
        ORDER BY x.purchase_date_ms, \(StoreQuery.idOrder("x.transaction_id")) LIMIT 1
        """, arguments: StatementArguments(arguments))
  }
}
