extension ReferenceModel.Scope {
  func data(_ panel: String) -> [String: JSON] {
    switch panel {
    case "active": active
    case "billing-retry": billingRetry
    case "churn": churn
    case "cohorts": cohorts
    case "movement": movement
    case "offers": offers
    case "recovery": recovery
    case "refunds": refunds
    case "upgrades": upgrades
    default: overview
    }
  }

  static let panels = [
    "active", "billing-retry", "churn", "cohorts", "movement", "offers", "recovery", "refunds", "upgrades",
    "overview",
  ]

  private func counts<Element>(_ all: [Element], by name: (Element) -> String, of names: [String]) -> JSON {
    let found = Dictionary(grouping: all, by: name)
    return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .count(found[$0]?.count ?? 0)) }))
  }

  private var active: [String: JSON] {
    let (paid, running) = (lines(in: "paid"), lines(inState: "active"))
    let grace = paid.filter { $0.position?.state == "grace" }
    func renewing(_ answer: Bool?) -> [ReferenceModel.Line] {
      running.filter { $0.renewal?.autoRenew == answer }
    }
    return [
      "paid": .count(paid.count), "trial": .count(lines(in: "trial").count),
      "trial_auto_renew_off": .count(
        lines(inState: "trial").filter { $0.renewal?.autoRenew == false }.count),
      "by_kind": counts(
        running, by: { $0.position?.row.row.kind ?? "" }, of: ["standard", "intro", "promo", "code"]),
      "renewing": .count(renewing(true).count), "auto_renew_off": .count(renewing(false).count),
      "auto_renew_unknown": .count(renewing(nil).count),
      "grace": .count(grace.count), "overdue": .count(lines(in: "overdue").count),
      "mrr": monthly(of: paid), "by_product": activeByProduct,
      "mrr_parts": .object([
        "renewing": monthly(of: renewing(true)), "auto_renew_off": monthly(of: renewing(false)),
        "auto_renew_unknown": monthly(of: renewing(nil)), "grace": monthly(of: grace),
      ]),
    ]
  }

  private var activeByProduct: JSON {
    .list(
      byProduct(lines(in: "paid", "trial")).map { product, lines in
        let paid = lines.filter { $0.position?.set == "paid" }
        return .object([
          "product_id": .text(product), "paid": .count(paid.count),
          "trial": .count(lines.count - paid.count),
          "grace": .count(paid.count { $0.position?.state == "grace" }), "mrr": monthly(of: paid),
        ])
      })
  }

  private func byProduct(_ lines: [ReferenceModel.Line]) -> [String: [ReferenceModel.Line]] {
    Dictionary(grouping: lines) { $0.position?.row.row.product ?? "" }
  }

  /// Figures of billing retry, where grace includes trials.
  private var billingRetry: [String: JSON] {
    let (retry, grace) = (lines(in: "retry"), lines(inState: "grace"))
    return [
      "lines": .count(retry.count), "users": users(of: retry),
      "grace": .object(["lines": .count(grace.count), "users": users(of: grace)]),
      "at_risk_mrr": .object(["billing_retry": monthly(of: retry), "grace": monthly(of: grace)]),
      "by_product": .list(
        byProduct(retry).map { .object(["product_id": .text($0.key), "lines": .count($0.value.count)]) }),
      "rows": .list(retry.compactMap(retryRow)),
    ]
  }

  private func retryRow(_ line: ReferenceModel.Line) -> JSON? {
    guard let current = line.position?.row else { return nil }
    return .object([
      "original_transaction_id": .text(line.chain.id), "product_id": .text(current.row.product),
      "expired_at_ms": .count(current.end), "retry_ends_at_ms": .count(current.end + 60 * ReferenceModel.day),
      "days_in_retry": .count((question.instant - current.end) / ReferenceModel.day),
      "amount_micros": .known(current.monthly?.micros), "currency": .known(current.monthly?.currency),
    ])
  }

  private var refunds: [String: JSON] {
    let issued = rows { question.holds($0.refundedAt ?? question.from) }.map(\.period)
    let bought = rows { question.holds($0.row.start) && !$0.isTrial }.map(\.period)
    let refunded = bought.count { $0.isRefunded(at: question.instant) }
    let oneTime = oneTime.count {
      !$0.isShared && question.asks(for: $0.product) && question.holds($0.cancelled ?? question.from)
    }
    func reason(_ period: ReferenceModel.Period) -> String {
      switch period.row.reason {
      case "1": "app_issue"
      case "0": "other"
      default: "unknown"
      }
    }
    return [
      "count": .count(issued.count), "amount": amounts(issued.map(\.refunded)),
      "by_reason": counts(issued, by: reason, of: ["app_issue", "other", "unknown"]),
      "unpriced": .count(issued.count { $0.price == nil }), "one_time": .count(oneTime),
      "cohort": .object([
        "paid_transactions": .count(bought.count), "refunded": .count(refunded),
        "rate": .share(refunded, of: bought.count),
      ]),
      "by_product": .list(
        Dictionary(grouping: issued, by: \.row.product).map { product, issued in
          .object([
            "product_id": .text(product), "count": .count(issued.count),
            "amount": amounts(issued.map(\.refunded)),
          ])
        }),
    ]
  }

  private var overview: [String: JSON] {
    let (active, churn, refunds) = (active, churn, refunds)
    let movement = movement.filter { ["subscribers", "mrr"].contains($0.key) }
    return [
      "movement": .object(movement),
      "active_paid": active["paid"], "trial": active["trial"], "mrr": active["mrr"], "grace": active["grace"],
      "overdue": active["overdue"], "by_product": active["by_product"],
      "billing_retry": billingRetry["lines"], "churn_rate": churn["churn_rate"],
      "lost_paid": churn["lost_paid"], "lost_trial": churn["lost_trial"], "by_intent": churn["by_intent"],
      "refunds": refunds["count"],
      "refund_amount": refunds["amount"], "prorated_refund": upgrades["prorated_refund"], "sales": sales,
      "renewing": active["renewing"], "auto_renew_off": active["auto_renew_off"],
      "auto_renew_unknown": active["auto_renew_unknown"], "mrr_parts": active["mrr_parts"],
      "at_risk_mrr": billingRetry["at_risk_mrr"], "cohort": refunds["cohort"], "trials": churn["trials"],
      "renewals": churn["renewals"], "arrivals": churn["arrivals"], "due": .list([1, 7, 30].map(due)),
    ].compactMapValues(\.self)
  }

  private func due(_ days: Int) -> JSON {
    let ending = lines {
      ["paid", "trial"].contains($0.set) && $0.row.end > question.instant
        && $0.row.end <= question.instant + days * ReferenceModel.day
    }
    let renewing = ending.filter { $0.renewal?.autoRenew == true }
    let charges = renewing.map(charge)
    return .object([
      "days": .count(days), "lines": .count(ending.count), "renewing": .count(renewing.count),
      "expected": amounts(charges),
      "unpriced": .count(charges.count { $0 == nil }),
    ])
  }

  /// Price of the next row if signed, else the signed renewal price, else the listed price.
  private func charge(_ line: ReferenceModel.Line) -> ReferenceModel.Amount? {
    guard let current = line.position?.row else { return nil }
    let next = line.periods.first {
      $0.row.start > current.row.start && abs($0.row.start - current.end) <= ReferenceModel.day
        && $0.row.signedPrice != nil && !$0.row.isShared && $0.effectiveEnd > $0.row.start
    }
    if let next { return next.paid }
    let signed = line.printed["next_renewal"] ?? .null
    if let micros = signed["price_micros"]?.integer, let currency = signed["currency"]?.text {
      return .init(currency: currency, micros: micros)
    }
    return prices.standard(line.renewal?.nextProduct ?? current.row.product, at: current.end).map {
      .init(currency: $0.currency, micros: $0.micros)
    }
  }

  private var sales: JSON {
    let sold = rows { question.holds($0.row.start) && !$0.isTrial }.map(\.period)
    return .object([
      "transactions": .count(sold.count), "unpriced": .count(sold.count { $0.price == nil }),
      "amount": amounts(sold.map(\.paid)),
      "proceeds": amounts(sold.map(\.proceeds)),
      "after_one_year": .count(sold.count { $0.isPastFirstYear }), "small_business": .count(0),
    ])
  }
}
