extension Figures {
  /// Rows behind the amounts that had no rate of the day they were bought on. A part of an amount is not counted beside its whole.
  var unconverted: Int {
    switch self {
    case .overview(let figures):
      let week = figures.due.max { $0.days < $1.days }
      return sum([
        figures.mrr, figures.atRiskMrr.billingRetry, figures.sales.amount, figures.refundAmount,
        figures.proratedRefund, week?.expected ?? Amounts(),
      ])
    case .active(let figures): return figures.mrr.unconverted
    case .billingRetry(let figures): return sum([figures.atRiskMrr.billingRetry, figures.atRiskMrr.grace])
    case .refunds(let figures): return figures.amount.unconverted
    case .upgrades(let figures): return figures.proratedRefund.unconverted
    case .recovery(let figures): return figures.mrr.entered.unconverted
    case .cohorts(let figures): return sum(figures.rows.map(\.mrr))
    case .offers(let figures): return sum(figures.offers.flatMap { [$0.cost, $0.brought] })
    case .churn, .events: return 0
    case .declared(let figures): return figures.groups.reduce(0) { $0 + $1.unconverted }
    }
  }

  private func sum(_ amounts: [Amounts]) -> Int { amounts.reduce(0) { $0 + $1.unconverted } }
}
