import GRDB
import Subscriptions

extension Asking {
  func refunds() throws -> RefundFigures {
    var figures = RefundFigures()
    var products: [ProductID: RefundFigures.ByProduct] = [:]
    let issued = transactions("x.refunded_at_ms > :from AND x.refunded_at_ms <= :to")
    for row in try rows(
      """
      SELECT x.product_id, x.refund_reason, sum(x.price_micros), x.currency, count(*) FROM \(issued)
      GROUP BY x.product_id, x.refund_reason, x.currency
      """)
    {
      let refunds: Int = row[4]
      figures.count += refunds
      figures.byReason.count(row[1], by: refunds)
      var product = products[row[0]] ?? RefundFigures.ByProduct(productId: row[0])
      product.count += refunds
      if let amount = row.money(micros: 2, currency: 3) {
        figures.amount.add(amount)
        product.amount.add(amount)
      } else {
        figures.unpriced += refunds
      }
      products[row[0]] = product
    }
    figures.byProduct = RefundFigures.sorted(Array(products.values))
    figures.oneTime = try oneTimeRefunds()
    figures.cohort = try cohort()
    return figures
  }

  private func oneTimeRefunds() throws -> Int {
    try rows("SELECT count(*) FROM \(refundedOneTime)").first?[0] ?? 0
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
