/// The headline figures of the other panels.
public struct OverviewFigures: Hashable, Sendable, Encodable {
  public var activePaid: Int
  public var trial: Int
  public var mrr: Amounts
  public var mrrParts: ActiveFigures.RevenueParts
  /// Of the lines in state `active` alone.
  public var renewing: Int
  public var autoRenewOff: Int
  public var autoRenewUnknown: Int
  public var billingRetry: Int
  public var atRiskMrr: BillingRetryFigures.AtRisk
  public var grace: Int
  @ExplicitNull public var churnRate: Double?
  public var lostPaid: Int
  public var lostTrial: Int
  public var refunds: Int
  public var refundAmount: Amounts
  public var proratedRefund: Amounts
  public var overdue: Int
  /// What comes due within a day and within a week.
  public var due: [DueFigures]
  public var renewals: [ChurnFigures.Renewals]
  public var trials: ChurnFigures.Trials
  public var arrivals: ChurnFigures.Arrivals
  public var cohort: RefundFigures.Cohort
  public var sales: SalesFigures
  /// Lines lost by why, as in the churn panel: what the overview's chart shows.
  public var byIntent: [ChurnFigures.ByIntent]
  /// As in the active panel.
  public var byProduct: [ActiveFigures.ByProduct]
  /// How the window's start became its end: subscribers and monthly revenue.
  public var movement = LedgerFigures()
  /// Of each product that anybody had at the start or has at the end, those with most first.
  public var movementByProduct: [ProductMovement] = []
  /// Nil where there is no revenue.
  @ExplicitNull public var revenueChange: RevenueChange?
  /// The newest of the window, no more than a screen has room for.
  public var newestEvents: [LineEvent]

  /// How many events an overview holds at the most.
  public static let eventLimit = 50

  public init(
    active: ActiveFigures, billingRetry: BillingRetryFigures, churn: ChurnFigures, refunds: RefundFigures,
    proratedRefund: Amounts, sales: SalesFigures, due: [DueFigures], newestEvents: [LineEvent]
  ) {
    activePaid = active.paid
    trial = active.trial
    mrr = active.mrr
    mrrParts = active.mrrParts
    renewing = active.renewing
    autoRenewOff = active.autoRenewOff
    autoRenewUnknown = active.autoRenewUnknown
    self.billingRetry = billingRetry.lines
    atRiskMrr = billingRetry.atRiskMrr
    grace = active.grace
    churnRate = churn.churnRate
    lostPaid = churn.lostPaid
    lostTrial = churn.lostTrial
    self.refunds = refunds.count
    refundAmount = refunds.amount
    self.proratedRefund = proratedRefund
    overdue = active.overdue
    self.due = due
    renewals = churn.renewals
    trials = churn.trials
    arrivals = churn.arrivals
    cohort = refunds.cohort
    self.sales = sales
    byIntent = churn.byIntent
    byProduct = active.byProduct
    self.newestEvents = newestEvents
  }
}

extension OverviewFigures {
  public mutating func addMovement(of course: LedgerCourse, _ question: Question) {
    movement = LedgerFigures(Movement.headline, from: course.sums, question)
    movementByProduct = LedgerFigures.parts(.product, Movement.headline, course, question)
      .compactMap { ProductMovement($0, question) }
    revenueChange = movement["mrr"].flatMap { RevenueChange($0, course) }
  }
}
