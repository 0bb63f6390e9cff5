/// The headline figures of the other panels.
public struct OverviewFigures: Hashable, Sendable, Encodable {
  public var activePaid: Int
  public var trial: Int
  public var mrr: Amounts
  public var billingRetry: Int
  public var grace: Int
  @ExplicitNull public var churnRate: Double?
  public var lostPaid: Int
  public var refunds: Int
  public var refundAmount: Amounts
  public var proratedRefund: Amounts
  public var overdue: Int
  /// Lines lost by why, as in the churn panel: what the overview's chart shows.
  public var byIntent: [ChurnFigures.ByIntent]
  /// As in the active panel.
  public var byProduct: [ActiveFigures.ByProduct]

  public init(
    active: ActiveFigures, billingRetry: BillingRetryFigures, churn: ChurnFigures, refunds: RefundFigures,
    upgrades: UpgradeFigures
  ) {
    activePaid = active.paid
    trial = active.trial
    mrr = active.mrr
    self.billingRetry = billingRetry.lines
    grace = active.grace
    churnRate = churn.churnRate
    lostPaid = churn.lostPaid
    self.refunds = refunds.count
    refundAmount = refunds.amount
    proratedRefund = upgrades.proratedRefund
    overdue = active.overdue
    byIntent = churn.byIntent
    byProduct = active.byProduct
  }
}
