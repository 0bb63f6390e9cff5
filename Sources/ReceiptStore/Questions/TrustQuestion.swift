import GRDB
import Subscriptions

extension StoreQuery {
  /// - Parameter balances: where lines stand at the question's instant.
  func trust(_ balances: [PositionClass: Balance]) throws -> Trust {
    var trust = Trust()
    trust.receipts = try rows("SELECT receipts FROM tally_state").first?[0] ?? 0
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
    let families = [TallyFamily.fresh, .unpriced, .shared]
    let facts = try book.sums(
      families.map { .init(family: $0, after: nil, through: question.at) }, scope: .all)
    let fresh = count(facts[0]) { question.environment.contains($0) }
    trust.fresh24h = withAccess == 0 ? nil : Double(fresh) / Double(withAccess)
    trust.unpricedTransactions = count(facts[1]) { question.environment.contains($0) }
    trust.excludedFamilyShared = count(facts[2]) { question.environment.contains($0) }
    if question.environment == .production { trust.excludedSandbox += count(facts[2]) { $0 == .sandbox } }
    return trust
  }

  /// Whatever the product.
  private func count(_ sums: TallyBook.Sums, in isMeant: (StoreEnvironment) -> Bool) -> Int {
    Int(sums.reduce(0) { $0 + (isMeant($1.key.key.environment) ? $1.value.count : 0) })
  }
}
