extension Stranger.Scope {
  /// `data` of a panel.
  func data(_ panel: String) -> [String: JSON] {
    switch panel {
    case "active": active
    case "billing-retry": billingRetry
    case "churn": churn
    case "refunds": refunds
    case "upgrades": upgrades
    default: overview
    }
  }

  static let panels = ["active", "billing-retry", "churn", "refunds", "upgrades", "overview"]

  private func counts<Element>(_ all: [Element], by name: (Element) -> String, of names: [String]) -> JSON {
    let found = Dictionary(grouping: all, by: name)
    return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .count(found[$0]?.count ?? 0)) }))
  }

  private var active: [String: JSON] {
    let (running, grace) = (lines(in: "active"), lines(in: "grace"))
    return [
      "paid": .count(running.count + grace.count), "trial": .count(lines(in: "trial").count),
      "by_kind": counts(
        running, by: { $0.current?.row.kind ?? "" }, of: ["standard", "intro", "promo", "code"]),
      "renewing": .count(running.count { $0.renewal?.autoRenew == true }),
      "auto_renew_off": .count(running.count { $0.renewal?.autoRenew == false }),
      "auto_renew_unknown": .count(running.count { $0.renewal?.autoRenew == nil }),
      "grace": .count(grace.count), "overdue": .count(lines(in: "overdue").count),
      "mrr": monthly(of: running + grace), "by_product": activeByProduct,
      "mrr_parts": .object([
        "renewing": monthly(of: running.filter { $0.renewal?.autoRenew == true }),
        "auto_renew_off": monthly(of: running.filter { $0.renewal?.autoRenew == false }),
        "auto_renew_unknown": monthly(of: running.filter { $0.renewal?.autoRenew == nil }),
        "grace": monthly(of: grace),
      ]),
    ]
  }

  private var activeByProduct: JSON {
    let all = lines(in: "active", "grace", "trial")
    return .list(
      Dictionary(grouping: all) { $0.current?.row.product ?? "" }.map { product, lines in
        .object([
          "product_id": .text(product), "paid": .count(lines.count { $0.isActivePaid }),
          "trial": .count(lines.count { $0.state == "trial" }),
          "grace": .count(lines.count { $0.state == "grace" }),
          "mrr": monthly(of: lines.filter(\.isActivePaid)),
        ])
      })
  }

  private var billingRetry: [String: JSON] {
    let (retry, grace) = (lines(in: "billing_retry"), lines(in: "grace"))
    let byProduct = Dictionary(grouping: retry) { $0.current?.row.product ?? "" }
    return [
      "lines": .count(retry.count), "users": users(of: retry),
      "grace": .object(["lines": .count(grace.count), "users": users(of: grace)]),
      "at_risk_mrr": .object(["billing_retry": monthly(of: retry), "grace": monthly(of: grace)]),
      "by_product": .list(
        byProduct.map { .object(["product_id": .text($0.key), "lines": .count($0.value.count)]) }),
      "rows": .list(retry.compactMap(retryRow)),
    ]
  }

  private func retryRow(_ line: Stranger.Line) -> JSON? {
    guard let current = line.current else { return nil }
    return .object([
      "original_transaction_id": .text(line.chain.id), "product_id": .text(current.row.product),
      "expired_at_ms": .count(current.end), "retry_ends_at_ms": .count(current.end + 60 * Stranger.day),
      "days_in_retry": .count((question.instant - current.end) / Stranger.day),
    ])
  }

  private var refunds: [String: JSON] {
    let issued = rows { question.holds($0.refundedAt ?? question.from) }.map(\.period)
    let bought = rows { question.holds($0.row.start) && !$0.isTrial }.map(\.period)
    let refunded = bought.count { $0.isRefunded(at: question.instant) }
    let oneTime = oneTime.count {
      !$0.isShared && question.asks(for: $0.product) && question.holds($0.cancelled ?? question.from)
    }
    func reason(_ period: Stranger.Period) -> String {
      switch period.row.reason {
      case "1": "app_issue"
      case "0": "other"
      default: "unknown"
      }
    }
    return [
      "count": .count(issued.count), "amount": amounts(issued.compactMap(\.paid)),
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
            "amount": amounts(issued.compactMap(\.paid)),
          ])
        }),
    ]
  }

  private var overview: [String: JSON] {
    let (active, churn, refunds) = (active, churn, refunds)
    return [
      "active_paid": active["paid"], "trial": active["trial"], "mrr": active["mrr"], "grace": active["grace"],
      "overdue": active["overdue"], "by_product": active["by_product"],
      "billing_retry": billingRetry["lines"], "churn_rate": churn["churn_rate"],
      "lost_paid": churn["lost_paid"], "lost_trial": churn["lost_trial"], "by_intent": churn["by_intent"],
      "refunds": refunds["count"],
      "refund_amount": refunds["amount"], "prorated_refund": upgrades["prorated_refund"], "sales": sales,
      "renewing": active["renewing"], "auto_renew_off": active["auto_renew_off"],
      "auto_renew_unknown": active["auto_renew_unknown"], "mrr_parts": active["mrr_parts"],
      "at_risk_mrr": billingRetry["at_risk_mrr"], "cohort": refunds["cohort"], "trials": churn["trials"],
      "renewals": churn["renewals"], "arrivals": churn["arrivals"], "due": .list([due(1), due(7)]),
    ].compactMapValues(\.self)
  }

  /// Lines whose paid period or trial ends within so many days, and what those would pay that go on.
  private func due(_ days: Int) -> JSON {
    let ending = lines(in: "trial", "active").filter {
      ($0.current?.end ?? .max) <= question.instant + days * Stranger.day
    }
    let renewing = ending.filter { $0.renewal?.autoRenew == true }
    let charges = renewing.map { line in
      line.current.flatMap { prices.standard(line.renewal?.nextProduct ?? $0.row.product, at: $0.end) }
    }
    return .object([
      "days": .count(days), "lines": .count(ending.count), "renewing": .count(renewing.count),
      "expected": amounts(charges.compactMap { $0.map { ($0.currency, $0.micros) } }),
      "unpriced": .count(charges.count { $0 == nil }),
    ])
  }

  private var sales: JSON {
    let sold = rows { question.holds($0.row.start) && !$0.isTrial }.map(\.period)
    return .object([
      "transactions": .count(sold.count), "unpriced": .count(sold.count { $0.price == nil }),
      "amount": amounts(sold.compactMap(\.paid)),
      "proceeds": amounts(
        sold.compactMap { period in
          period.price.flatMap { price in period.proceeds.map { (price.currency, $0) } }
        }),
      "after_one_year": .count(sold.count { $0.isPastFirstYear }), "small_business": .count(0),
    ])
  }
}

extension Stranger.Period {
  /// Its price, as a part of a sum.
  fileprivate var paid: (currency: String, micros: Int)? { price.map { ($0.currency, $0.micros) } }
}
