import GRDB
import Subscriptions

extension Asking {
  func refunds() throws -> RefundFigures {
    var figures = RefundFigures()
    var products: [ProductID: RefundFigures.ByProduct] = [:]
    for group in try refundGroups() {
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
    figures.oneTime = try oneTimeRefunds()
    figures.cohort = try cohort()
    return figures
  }

  private func refundGroups() throws -> [RowGroup] {
    if let tallied { return tallied.window.whole.groups(.refund, question) }
    let issued = transactions("x.refunded_at_ms > :from AND x.refunded_at_ms <= :to")
    return try rows(
      """
      SELECT x.product_id, x.refund_reason, sum(x.price_micros), x.currency, count(*) FROM \(issued)
      GROUP BY x.product_id, x.refund_reason, x.currency
      """
    ).map { row in
      RowGroup(
        product: row[0], detail: row[1] ?? "", amount: row.money(micros: 2, currency: 3), rows: row[4])
    }
  }

  private func oneTimeRefunds() throws -> Int {
    if let tallied {
      return tallied.window.whole.groups(.oneTimeRefund, question).reduce(0) { $0 + $1.rows }
    }
    return try rows("SELECT count(*) FROM \(refundedOneTime)").first?[0] ?? 0
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

  private func cohort() throws -> RefundFigures.Cohort {
    var cohort = RefundFigures.Cohort()
    if let tallied {
      for (group, detail) in tallied.window.whole.bought(question) where detail.isPaid {
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
    if let row = try rows(
      "SELECT count(*), ifnull(sum(ifnull(x.refunded_at_ms <= :t, 0)), 0) FROM \(sold)"
    ).first {
      cohort.paidTransactions = row[0]
      cohort.refunded = row[1]
    }
    cohort.finish()
    return cohort
  }
}
