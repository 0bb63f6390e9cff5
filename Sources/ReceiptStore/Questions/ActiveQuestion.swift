import GRDB
import Subscriptions

extension Asking {
  func active() throws -> ActiveFigures {
    var figures = ActiveFigures()
    var products: [ProductID: ActiveFigures.ByProduct] = [:]
    for group in try activeGroups() {
      var byProduct = products[group.product] ?? ActiveFigures.ByProduct(productId: group.product)
      figures.add(group, product: &byProduct)
      products[group.product] = byProduct
    }
    figures.byProduct = ActiveFigures.sorted(products.values.filter { $0.paid + $0.trial + $0.grace > 0 })
    return figures
  }

  private func activeGroups() throws -> [ActiveGroup] {
    if let tallied {
      return tallied.standing.groups(question).map { group in
        ActiveGroup(
          product: group.product, state: group.detail.state, kind: group.detail.kind,
          autoRenew: group.detail.autoRenew, monthly: group.monthly, lines: group.lines)
      }
    }
    return try rows(
      """
      SELECT product_id, state, kind, auto_renew_status, sum(monthly_micros), currency, count(*) FROM (\(judged))
      WHERE state IN ('trial', 'active', 'grace', 'overdue') AND \(product("product_id"))
      GROUP BY product_id, state, kind, auto_renew_status, currency
      """
    ).compactMap { row in
      guard let state = row[1] as LineState?, let kind = row[2] as PeriodKind? else { return nil }
      return ActiveGroup(
        product: row[0], state: state, kind: kind, autoRenew: row[3],
        monthly: row.money(micros: 4, currency: 5), lines: row[6])
    }
  }
}

/// Lines that count alike.
private struct ActiveGroup {
  var product: ProductID
  var state: LineState
  var kind: PeriodKind
  var autoRenew: Bool?
  var monthly: Money?
  var lines: Int
}

extension ActiveFigures {
  fileprivate mutating func add(_ group: ActiveGroup, product: inout ByProduct) {
    switch group.state {
    case .trial:
      trial += group.lines
      product.trial += group.lines
    case .overdue: overdue += group.lines
    case .active:
      byKind.count(group.kind, by: group.lines)
      switch group.autoRenew {
      case true?: renewing += group.lines
      case false?: autoRenewOff += group.lines
      case nil: autoRenewUnknown += group.lines
      }
    case .grace:
      grace += group.lines
      product.grace += group.lines
    case .billingRetry, .unattributed, .revoked, .expired: break
    }
    guard group.state == .active || group.state == .grace else { return }
    paid += group.lines
    product.paid += group.lines
    guard let monthly = group.monthly else { return }
    mrr.add(monthly)
    product.mrr.add(monthly)
    if group.state == .grace {
      mrrParts.grace.add(monthly)
    } else {
      mrrParts.add(monthly, autoRenew: group.autoRenew)
    }
  }
}
