import Subscriptions

extension Sample {
  /// Report on the other side of a comparison: most figures are slightly lower, some higher.
  static func otherReport(_ question: Question) -> Report {
    var report = report(question)
    switch question.panel {
    case .churn:
      report.data["lost_paid"] -= 9
      report.data["voluntary"] += 3
      report.data["lost_trial"] = 0
      report.data[share: "churn_rate"] = 0.031
      report.data["arrivals.initial"] -= 20
    case .active:
      report.data["paid"] -= 40
      report.data[amounts: "mrr"] = monthlyRevenue(900, of: monthly)
      report.data[parts: "by_product"].removeLast()
    default: break
    }
    return report
  }

  static var alerts: [AlertState] {
    get throws {
      var raised = AlertState(Alert("churn", try AlertCondition(parsing: "churn_rate > 6%")), at: now)
      (raised.verdict, raised.value, raised.limit) = (.raised, .share(0.071), .share(0.06))
      (raised.raisedSince, raised.toldAt) = (now - 2 * Milliseconds.day, now - 2 * Milliseconds.day + 5000)
      var clear = AlertState(
        Alert("retry", try AlertCondition(parsing: "billing_retry.mrr_at_risk > 500 EUR")), at: now)
      (clear.verdict, clear.value, clear.limit) = (.clear, .amount(eur(12_345)), .amount(eur(50_000)))
      var unusual = AlertState(
        Alert("refunds", try AlertCondition(parsing: "refunds today > 3 × usual")), at: now)
      (unusual.verdict, unusual.value) = (.raised, .count(12))
      (unusual.limit, unusual.usual, unusual.raisedSince) = (.count(7.5), .count(2.5), now)
      var unknown = AlertState(
        Alert(
          "new", try AlertCondition(parsing: "new in 7d product com.example.pro.monthly < 50% below usual")),
        at: now)
      unknown.value = .count(4)
      return [clear, raised, unknown, unusual]
    }
  }
}
