import Subscriptions

extension Sample {
  static var active: FigureValues {
    var figures = FigureValues()
    let products = [
      (weekly, 1000, 120, 30), (monthly, 500, 60, 14), (yearly, 300, 34, 6), (european, 120, 0, 2),
    ].map { id, paid, trial, grace in
      var product = FigureValues(product: id)
      (product["paid"], product["trial"], product["grace"]) = (paid, trial, grace)
      product[amounts: "mrr"] = monthlyRevenue(paid, of: id)
      return product
    }
    for (path, count) in [
      ("paid", 1920), ("trial", 214), ("trial_auto_renew_off", 31), ("by_kind.standard", 1668),
      ("by_kind.intro", 96), ("by_kind.promo", 48), ("by_kind.code", 56), ("renewing", 1463),
      ("auto_renew_off", 377), ("auto_renew_unknown", 28), ("grace", 52), ("overdue", 3),
    ] { figures[path] = count }
    let mrr = sum(products.map { $0[amounts: "mrr"] })
    let grace = sum(products.map { monthlyRevenue($0["grace"], of: $0.product) })
    let off = sum(
      [(weekly, 210), (monthly, 100), (yearly, 57), (european, 10)].map { monthlyRevenue($1, of: $0) })
    figures[amounts: "mrr"] = mrr
    figures[amounts: "mrr_parts.renewing"] = Amounts(
      mrr.totals.map { total in
        let rest = (grace[total.currency] ?? 0) + (off[total.currency] ?? 0)
        return Money(micros: total.micros - rest, currency: total.currency)
      })
    (figures[amounts: "mrr_parts.auto_renew_off"], figures[amounts: "mrr_parts.grace"]) = (off, grace)
    figures[parts: "by_product"] = products
    return figures
  }

  static var billingRetry: FigureValues {
    var figures = FigureValues()
    (figures["lines"], figures["users"], figures["grace.lines"], figures["grace.users"]) = (44, 43, 52, 52)
    let products = [(weekly, 24), (monthly, 12), (yearly, 5), (european, 3)]
    figures[amounts: "at_risk_mrr.billing_retry"] = sum(products.map { monthlyRevenue($1, of: $0) })
    figures[amounts: "at_risk_mrr.grace"] = active[amounts: "mrr_parts.grace"]
    figures[parts: "by_product"] = products.map { product, lines in
      var part = FigureValues(product: product)
      part["lines"] = lines
      return part
    }
    let unpaidProducts = products.flatMap { Array(repeating: $0, count: $1) }
    figures.unpaid = (0..<44).map { unpaid($0, product: unpaidProducts[$0 * 17 % 44]) }
    return figures
  }

  private static func unpaid(_ index: Int, product: ProductID) -> UnpaidEntry {
    let chain = OriginalTransactionID("\(310_000_812_340_117 + index * 7_771)")
    let user = index % 5 == 3 ? nil : AppUserID("user-\(4821 + index * 37)")
    let expired = now - Milliseconds.day * Int64(index * 4 / 3) - 5 * Milliseconds.hour
    return UnpaidEntry(
      originalTransactionId: chain, appUserId: user, productId: product, expired: expired,
      mrr: monthlyRevenue(1, of: product).totals.first, at: now)
  }

  static var churn: FigureValues {
    let lost: [(String?, Int64, Int64)] = [
      ("1", 44, 61), ("2", 22, 4), ("3", 2, 0), ("5", 1, 0), (nil, 3, 1),
    ]
    var changes: [ChangeClass: ChangeSum] = [:]
    for (intent, paid, trial) in lost {
      let reason = intent.map { LossReason.intent(ExpirationIntent($0)) } ?? .unknown
      changes[loss(.active, reason)] = ChangeSum(lines: paid)
      changes[loss(.trial, reason)] = ChangeSum(lines: trial)
    }
    changes[loss(.active, .refunded)] = ChangeSum(lines: 12)
    changes[loss(.trial, .refunded)] = ChangeSum(lines: 2)
    let start = ChangeClass(old: nil, new: position(.active), flow: .new)
    let question = Question(panel: .churn, at: now)
    let sums = LedgerSums(earlier: [start: ChangeSum(lines: 1812)], changes: changes)
    var figures = FigureValues(sums, question)
    figures[parts: "renewals"] = [
      ("P1W", 3960, 3811, 31, 50), ("P1M", 590, 511, 11, 28), ("P1Y", 41, 22, 0, 9), (nil, 3, 1, 0, 0),
    ].map { period, due, renewed, recovered, pending in
      var renewals = FigureValues()
      renewals[text: "period"] = period
      (renewals["due"], renewals["renewed"], renewals["recovered"]) = (due, renewed, recovered)
      (renewals["pending"], renewals["lost"]) = (pending, due - renewed - recovered - pending)
      return renewals
    }
    for (path, count) in [
      ("trials.ended", 288), ("trials.converted", 119), ("trials.converted_late", 6),
      ("arrivals.initial", 412), ("arrivals.renewal", 4386), ("arrivals.recovery", 31),
      ("arrivals.unattributed", 9), ("arrivals.reactivation", 14),
    ] { figures[path] = count }
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
