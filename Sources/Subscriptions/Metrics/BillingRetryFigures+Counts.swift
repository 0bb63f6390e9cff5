extension BillingRetryFigures {
  /// Without users and rows.
  ///
  /// - Parameter course: that of the question's window.
  init(_ course: LedgerCourse, _ question: Question) {
    self.init()
    let counts = PanelCounts(.billingRetry, course, by: [.product], question)
    lines = counts["lines"].lines
    grace.lines = counts["grace.lines"].lines
    atRiskMrr.billingRetry = counts["at_risk_mrr.billing_retry"].monthly
    atRiskMrr.grace = counts["at_risk_mrr.grace"].monthly
    byProduct = counts.byProduct { ByProduct(productId: $0, lines: $1("lines").lines) }.filter {
      $0.lines > 0
    }
    .sorted { $0.lines == $1.lines ? $0.productId < $1.productId : $0.lines > $1.lines }
  }
}
