import Subscriptions

extension Sample {
  static var active: ActiveFigures {
    var figures = ActiveFigures()
    figures.byProduct = [
      (weekly, 1000, 120, 30), (monthly, 500, 60, 14), (yearly, 300, 34, 6), (european, 120, 0, 2),
    ].map { id, paid, trial, grace in
      var product = ActiveFigures.ByProduct(productId: id)
      product.paid = paid
      product.trial = trial
      product.grace = grace
      product.mrr = monthlyRevenue(paid, of: id)
      return product
    }
    figures.paid = 1920
    figures.trial = 214
    figures.trialAutoRenewOff = 31
    figures.grace = 52
    figures.overdue = 3
    figures.byKind.standard = 1668
    figures.byKind.intro = 96
    figures.byKind.promo = 48
    figures.byKind.code = 56
    figures.renewing = 1463
    figures.autoRenewOff = 377
    figures.autoRenewUnknown = 28
    figures.mrr = sum(figures.byProduct.map(\.mrr))
    figures.mrrParts.grace = sum(figures.byProduct.map { monthlyRevenue($0.grace, of: $0.productId) })
    figures.mrrParts.autoRenewOff = sum(
      [(weekly, 210), (monthly, 100), (yearly, 57), (european, 10)].map { monthlyRevenue($1, of: $0) })
    for total in figures.mrr.totals {
      let rest = [figures.mrrParts.grace, figures.mrrParts.autoRenewOff].reduce(0) {
        $0 + ($1[total.currency] ?? 0)
      }
      figures.mrrParts.renewing.add(Money(micros: total.micros - rest, currency: total.currency))
    }
    return figures
  }

  static var billingRetry: BillingRetryFigures {
    var figures = BillingRetryFigures()
    figures.lines = 44
    figures.users = 43
    figures.grace.lines = 52
    figures.grace.users = 52
    figures.byProduct = [(weekly, 24), (monthly, 12), (yearly, 5), (european, 3)].map {
      BillingRetryFigures.ByProduct(productId: $0, lines: $1)
    }
    figures.atRiskMrr.billingRetry = sum(figures.byProduct.map { monthlyRevenue($0.lines, of: $0.productId) })
    figures.atRiskMrr.grace = sum(active.byProduct.map { monthlyRevenue($0.grace, of: $0.productId) })
    let products: [ProductID] = figures.byProduct.flatMap { Array(repeating: $0.productId, count: $0.lines) }
    figures.rows = (0..<44).map { unpaid($0, product: products[$0 * 17 % 44]) }
    return figures
  }

  private static func unpaid(_ index: Int, product: ProductID) -> BillingRetryFigures.Entry {
    let chain = OriginalTransactionID("\(310_000_812_340_117 + index * 7_771)")
    let user = index % 5 == 3 ? nil : AppUserID("user-\(4821 + index * 37)")
    let expired = now - Milliseconds.day * Int64(index * 4 / 3) - 5 * Milliseconds.hour
    return BillingRetryFigures.Entry(
      originalTransactionId: chain, appUserId: user, productId: product, expired: expired, at: now)
  }

  static var churn: ChurnFigures {
    let lost: [(String?, Int64, Int64)] = [
      ("1", 44, 61), ("2", 22, 4), ("3", 2, 0), ("5", 1, 0), (nil, 3, 1),
    ]
    var changes: [ChangeClass: Turnover] = [:]
    for (intent, paid, trial) in lost {
      let reason = intent.map { LossReason.intent(ExpirationIntent($0)) } ?? .unknown
      changes[loss(.active, reason)] = Turnover(lines: paid)
      changes[loss(.trial, reason)] = Turnover(lines: trial)
    }
    changes[loss(.active, .refunded)] = Turnover(lines: 12)
    changes[loss(.trial, .refunded)] = Turnover(lines: 2)
    let start = ChangeClass(old: nil, new: position(.active), flow: .new)
    let question = Question(panel: .churn, at: now)
    let sums = LedgerSums(earlier: [start: Turnover(lines: 1812)], changes: changes)
    var figures = ChurnFigures(LedgerCourse(sums, question), question)
    figures.renewals = [
      (Period(1, .week), 3960, 3811, 31, 50), (Period(1, .month), 590, 511, 11, 28),
      (Period(1, .year), 41, 22, 0, 9), (nil, 3, 1, 0, 0),
    ].map { period, due, renewed, recovered, pending in
      var renewals = ChurnFigures.Renewals(period: period)
      renewals.due = due
      renewals.renewed = renewed
      renewals.recovered = recovered
      renewals.pending = pending
      renewals.lost = due - renewed - recovered - pending
      return renewals
    }
    figures.trials.ended = 288
    figures.trials.converted = 119
    figures.trials.convertedLate = 6
    (figures.arrivals.initial, figures.arrivals.renewal, figures.arrivals.recovery) = (412, 4386, 31)
    (figures.arrivals.unattributed, figures.arrivals.reactivation) = (9, 14)
    return figures
  }

  private static func position(_ state: LineState, _ reason: LossReason? = nil) -> PositionClass {
    PositionClass(
      environment: .production, state: state, product: ProductID("com.example.monthly"),
      kind: state == .trial ? .trial : .standard, reason: reason)
  }

  static func loss(_ state: LineState, _ reason: LossReason) -> ChangeClass {
    ChangeClass(
      old: position(state), new: position(reason == .refunded ? .revoked : .expired, reason),
      flow: state == .trial ? .trialLost : .lost)
  }
}
