import GRDB
import Subscriptions

extension StoreQuery {
  func refunds(_ facts: WindowFacts) throws -> RefundFigures {
    var figures = RefundFigures()
    var products: [ProductID: RefundFigures.ByProduct] = [:]
    for group in facts.whole.groups(.refund, question) {
      figures.count += group.rows
      figures.byReason.count(group.detail, by: group.rows)
      var product = products[group.product] ?? RefundFigures.ByProduct(productId: group.product)
      product.count += group.rows
      if let amount = group.amount {
        figures.amount.add(amount)
        product.amount.add(amount)
      } else {
        figures.unpriced += group.rows
      }
      products[group.product] = product
    }
    figures.byProduct = RefundFigures.sorted(Array(products.values))
    figures.oneTime = facts.whole.groups(.oneTimeRefund, question).reduce(0) { $0 + $1.rows }
    figures.cohort = try cohort(facts)
    return figures
  }

  var refundedOneTime: String {
    """
    transactions x JOIN chains c ON c.id = x.chain_id
    WHERE x.expires_date_ms IS NULL AND x.duplicate_of IS NULL AND x.cancelled_at_ms > :from
      AND x.cancelled_at_ms <= :to
      AND x.in_app_ownership_type <> '\(OwnershipType.familyShared.rawValue)' AND \(environment("c.environment"))
      AND \(product("x.product_id"))
    """
  }

  private func cohort(_ facts: WindowFacts) throws -> RefundFigures.Cohort {
    var cohort = RefundFigures.Cohort()
    for group in facts.whole.groups(.bought, question) {
      guard let detail = group.kind.bought, detail.isPaid else { continue }
      cohort.paidTransactions += group.rows
      if detail.isRefunded { cohort.refunded += group.rows }
    }
    // A refund can be dated ahead. The plus keeps SQLite from reading all that was bought.
    cohort.refunded -=
      try rows(
        """
        SELECT count(*) FROM \(transactions("x.refunded_at_ms > :t AND x.kind <> 'trial'"))
          AND +x.purchase_date_ms > :from AND +x.purchase_date_ms <= :to
        """
      ).first?[0] ?? 0
    cohort.finish()
    return cohort
  }
}
