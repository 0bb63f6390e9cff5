extension ReferenceModel.Scope {
  var churn: [String: JSON] {
    let losses = changes.filter { isAsked($0.old) && ["lost", "trial_lost"].contains($0.flow) }
    let paid = losses.filter { $0.flow == "lost" }
    let base = lines(at: question.from) { $0.set == "paid" || $0.set == "retry" && !$0.row.isTrial }
    return [
      "by_intent": byIntent(losses), "refunded": .object(parts(of: losses, because: "refunded")),
      "lost_paid": .count(paid.count), "lost_trial": .count(losses.count - paid.count),
      "voluntary": .count(paid.count { $0.reason == "1" }),
      "involuntary": .count(paid.count { $0.reason == "2" }),
      "base_at_start": .count(base.count), "churn_rate": .share(paid.count, of: base.count),
      "renewals": renewals, "trials": trials, "arrivals": arrivals,
    ]
  }

  private func byIntent(_ losses: [ReferenceModel.Change]) -> JSON {
    let names: [(intent: String?, name: String)] = [
      ("1", "customer cancelled"), ("2", "billing error"), ("3", "price increase not consented"),
      ("4", "product not available"), ("5", "other"), (nil, "unknown"),
    ]
    return .list(
      names.map { intent, name in
        .object(
          ["intent": .known(intent), "name": .text(name)]
            .merging(parts(of: losses, because: intent)) { $1 })
      })
  }

  private func parts(of losses: [ReferenceModel.Change], because reason: String?) -> [String: JSON] {
    let found = losses.filter { $0.reason == reason }
    return [
      "paid": .count(found.count { $0.flow == "lost" }),
      "trial": .count(found.count { $0.flow == "trial_lost" }),
    ]
  }

  private var renewals: JSON {
    let due = rows {
      !$0.isTrial && question.holds($0.end) && $0.row.cancelled == nil && !$0.row.isUpgraded
    }
    return .list(
      Dictionary(grouping: due) { prices.period(of: $0.period.row) }.map { period, due in
        let outcomes = due.map { $0.line.outcome(of: $0.period) }
        let counts = ["renewed", "recovered", "pending", "lost"].map { name in
          (name, JSON.count(outcomes.count { $0 == name }))
        }
        return .object(
          ["period": .known(period), "due": .count(due.count)].merging(counts) { $1 })
      })
  }

  private var trials: JSON {
    let delays = rows { $0.isTrial && question.holds($0.effectiveEnd) }.map {
      $0.line.conversionDelay(of: $0.period) ?? .max
    }
    return .object([
      "ended": .count(delays.count), "converted": .count(delays.count { $0 <= ReferenceModel.day }),
      "converted_late": .count(delays.count { $0 > ReferenceModel.day && $0 <= 60 * ReferenceModel.day }),
    ])
  }

  private var arrivals: JSON {
    let bought = boughtRows.map(\.period.arrival)
    return .object(
      Dictionary(
        uniqueKeysWithValues: ["initial", "renewal", "recovery", "unattributed", "reactivation"].map { name in
          (name, .count(bought.count { $0 == name }))
        }))
  }
}
