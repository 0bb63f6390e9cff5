import GRDB
import Subscriptions

extension Tallied {
  func arrivals(_ question: Question) -> [(Arrival, Int)] {
    window.whole.bought(question).map { ($0.detail.arrival, $0.group.rows) }
  }

  func trialEnds(_ question: Question) -> [(PeriodOutcome?, Int)] {
    window.whole.groups(.trialEnd, question).map { (PeriodOutcome(rawValue: $0.detail), $0.rows) }
  }

  struct RenewalGroup {
    var product: ProductID
    var due = 0
    var renewed = 0
    var pending = 0
  }

  func renewals(_ question: Question) -> [RenewalGroup] {
    var products: [ProductID: RenewalGroup] = [:]
    for group in window.whole.groups(.due, question) {
      products[group.product, default: RenewalGroup(product: group.product)].due += group.rows
      if group.detail == PeriodOutcome.renewed.rawValue {
        products[group.product, default: RenewalGroup(product: group.product)].renewed += group.rows
      }
    }
    for pending in pending {
      let product = pending.place.product
      products[product, default: RenewalGroup(product: product)].pending += pending.lines
    }
    return Array(products.values)
  }

  func complete(_ trust: inout Trust, _ question: Question) {
    var withAccess: Int64 = 0
    for (known, value) in standing.states {
      guard let state = known.standing?.state else { continue }
      let key = known.key
      if question.environment == .production, key.environment == .sandbox {
        trust.excludedSandbox += Int(value.count)
      }
      guard question.environment.contains(key.environment) else { continue }
      trust.lines += Int(value.count)
      if state == .overdue { trust.overdue += Int(value.count) }
      if state.hasAccess { withAccess += value.count }
    }
    let fresh = standing.fresh.filter { question.environment.contains($0.key) }.values.reduce(0, +)
    trust.fresh24h = withAccess == 0 ? nil : Double(fresh) / Double(withAccess)
    trust.unpricedTransactions = Self.count(unpriced, question)
    trust.excludedFamilyShared = Self.count(shared, question)
    if question.environment == .production {
      trust.excludedSandbox += shared.reduce(0) {
        $0 + ($1.key.key.environment == .sandbox ? Int($1.value.count) : 0)
      }
    }
  }

  /// In the question's environments, whatever the product.
  private static func count(_ sums: TallyBook.Sums, _ question: Question) -> Int {
    sums.reduce(0) { $0 + (question.environment.contains($1.key.key.environment) ? Int($1.value.count) : 0) }
  }

  /// METRICS §4, Churn rate: lines active and paid at the window's start, whose minute may have begun before.
  func activePaidAtStart(_ asking: Asking) throws -> Int {
    let (question, from) = (asking.question, asking.question.window.from)
    let whole = atStart.groups(question).reduce(0) { $0 + ($1.detail.state == .active ? $1.lines : 0) }
    let before = minuteStart(of: from) - 1
    guard from > before else { return whole }
    let count = { (t: Instant) in
      try Int.fetchOne(
        asking.db.cachedStatement(sql: Self.activePaid(asking)),
        arguments: asking.arguments + ["then": t, "after": before, "through": from]) ?? 0
    }
    return whole + (try count(from)) - (try count(before))
  }

  /// Of the lines for which something changes after one instant and through another, those active and paid at `:then`, judged
  /// by their rows.
  private static func activePaid(_ asking: Asking) -> String {
    """
    SELECT count(*) FROM (
      SELECT line_id FROM phases WHERE until_ms > :after AND until_ms <= :through
      UNION SELECT line_id FROM transactions
        WHERE line_id IS NOT NULL AND purchase_date_ms > :after AND purchase_date_ms <= :through
      UNION SELECT line_id FROM transactions
        WHERE line_id IS NOT NULL AND expires_date_ms > :after AND expires_date_ms <= :through) AS f
      CROSS JOIN phases p ON p.line_id = f.line_id CROSS JOIN lines l ON l.id = p.line_id
      CROSS JOIN chains c ON c.id = l.chain_id CROSS JOIN transactions x ON x.id = p.current_id
    WHERE p.until_ms > :then AND p.from_ms <= :then AND p.is_live AND x.expires_date_ms > :then
      AND x.kind <> 'trial' AND NOT l.is_family_shared AND \(asking.environment("c.environment"))
      AND \(asking.product("x.product_id"))
    """
  }
}
