import GRDB
import Subscriptions

extension StoreQuery {
  /// - Parameter balances: where lines stand at the question's instant.
  func trust(_ balances: [PositionClass: Balance]) throws -> Trust {
    var trust = Trust()
    trust.receipts = try rows("SELECT receipts FROM ledger_state").first?[0] ?? 0
    var withAccess: Int64 = 0
    for (position, balance) in balances {
      if question.environment == .production, position.environment == .sandbox {
        trust.excludedSandbox += Int(balance.lines)
      }
      guard question.environment.contains(position.environment) else { continue }
      trust.lines += Int(balance.lines)
      if position.state == .overdue { trust.overdue += Int(balance.lines) }
      if position.state.hasAccess { withAccess += balance.lines }
    }
    func count(_ family: FactFamily, in isMeant: (StoreEnvironment) -> Bool) throws -> Int {
      let sums = try facts.sums(family, after: nil, through: question.at)
      return Int(sums.reduce(0) { $0 + (isMeant($1.key.kind.environment) ? $1.value.count : 0) })
    }
    let fresh = try count(.fresh) { question.environment.contains($0) }
    trust.fresh24h = withAccess == 0 ? nil : Double(fresh) / Double(withAccess)
    trust.unpricedTransactions = try count(.unpriced) { question.environment.contains($0) }
    trust.excludedFamilyShared = try count(.shared) { question.environment.contains($0) }
    if question.environment == .production { trust.excludedSandbox += try count(.shared) { $0 == .sandbox } }
    return trust
  }
}
