extension BillingRetryFigures {
  /// Without users and rows.
  ///
  /// - Parameter course: that of the question's window.
  init(_ course: LedgerCourse, _ question: Question) {
    self.init()
    let counts = PanelCounts(.billingRetry, course.sums, question)
    lines = counts["lines"].lines
    grace.lines = counts["grace.lines"].lines
    atRiskMrr.billingRetry = counts["at_risk_mrr.billing_retry"].monthly
    atRiskMrr.grace = counts["at_risk_mrr.grace"].monthly
    byProduct = PanelCounts.parts(of: .billingRetry, course, by: .product, question)
      .compactMap(ByProduct.init).filter { $0.lines > 0 }
      .sorted { $0.lines == $1.lines ? $0.productId < $1.productId : $0.lines > $1.lines }
  }
}

extension BillingRetryFigures.ByProduct {
  /// Nil where the part is no product.
  fileprivate init?(_ part: MovementPart, _ counts: PanelCounts) {
    guard case .product(let product) = part else { return nil }
    self.init(productId: product, lines: counts["lines"].lines)
  }
}
