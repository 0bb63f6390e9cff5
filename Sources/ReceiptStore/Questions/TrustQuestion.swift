import GRDB
import Subscriptions

extension Asking {
  func trust() throws -> Trust {
    var trust = Trust()
    trust.receipts = try rows("SELECT receipts FROM tally_state").first?[0] ?? 0
    if let tallied {
      tallied.complete(&trust, question)
      return trust
    }
    var (withAccess, fresh) = (0, 0)
    for row in try rows(
      """
      SELECT state, ifnull(validated_at_ms > :t - \(Milliseconds.day), 0) AS fresh, count(*) FROM (\(judged))
      GROUP BY state, fresh
      """)
    {
      let lines: Int = row[2]
      trust.lines += lines
      switch row[0] as LineState? {
      case .overdue?: trust.overdue += lines
      case .trial?, .active?, .grace?:
        withAccess += lines
        if row[1] as Bool { fresh += lines }
      default: break
      }
    }
    trust.fresh24h = withAccess == 0 ? nil : Double(fresh) / Double(withAccess)
    try addExclusions(to: &trust)
    return trust
  }

  private func addExclusions(to trust: inout Trust) throws {
    trust.unpricedTransactions =
      try rows(
        """
        SELECT count(*) FROM transactions x JOIN lines l ON l.id = x.line_id JOIN chains c ON c.id = l.chain_id
        WHERE x.price_micros IS NULL AND x.purchase_date_ms <= :t AND \(environment("c.environment"))
          AND NOT l.is_family_shared
        """
      ).first?[0] ?? 0
    for row in try rows(
      """
      SELECT c.environment, l.is_family_shared, count(*) FROM phases p JOIN lines l ON l.id = p.line_id
        JOIN chains c ON c.id = l.chain_id
      WHERE p.until_ms > :t AND p.from_ms <= :t GROUP BY c.environment, l.is_family_shared
      """)
    {
      let environment = StoreEnvironment(row[0] as String)
      if question.environment == .production, environment == .sandbox { trust.excludedSandbox += row[2] }
      if row[1] as Bool, question.environment.contains(environment) { trust.excludedFamilyShared += row[2] }
    }
  }
}
