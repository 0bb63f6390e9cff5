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
    for (known, value) in standing {
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
    let fresh = fresh.filter { question.environment.contains($0.key) }.values.reduce(0, +)
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

  /// METRICS §4, Churn rate: lines active and paid at the window's start.
  func activePaidAtStart(_ question: Question) -> Int {
    atStart.groups(question).reduce(0) { $0 + ($1.detail.state == .active ? $1.lines : 0) }
  }
}
