/// Movements of subscribers and MRR (METRICS §5).
extension ReferenceModel.Scope {
  var movement: [String: JSON] {
    [
      "subscribers": movement(
        of: "paid", entering: ["new", "converted", "recovered", "returned", "resubscribed"],
        leaving: ["to_trial", "to_retry", "to_overdue", "to_unattributed", "lost"]),
      "trials": movement(
        of: "trial", entering: ["trial_started", "to_trial"],
        leaving: [
          "converted", "trial_to_retry", "trial_to_overdue", "trial_to_unattributed", "trial_lost",
        ]),
      "billing_retry": movement(
        of: "retry", entering: ["to_retry", "trial_to_retry"],
        leaving: ["recovered", "converted", "trial_started", "lost", "trial_lost"]),
      "mrr": movementOfRevenue,
    ]
  }

  private func movement(of set: String, entering: [String], leaving: [String]) -> JSON {
    var figures = [
      "start": lines(at: question.from) { $0.set == set }.count, "end": lines(in: set).count,
      "from_other_product": 0, "to_other_product": 0,
    ]
    for name in entering + leaving { figures[name] = 0 }
    for change in changes {
      let (isIn, isOut) = (isAsked(change.new), isAsked(change.old))
      if change.isWithinASet {
        guard change.new.set == set else { continue }
        if isIn && !isOut { figures["from_other_product", default: 0] += 1 }
        if isOut && !isIn { figures["to_other_product", default: 0] += 1 }
      } else if let flow = change.flow {
        if isIn && change.new.set == set && entering.contains(flow) { figures[flow, default: 0] += 1 }
        if isOut && change.old?.set == set && leaving.contains(flow) { figures[flow, default: 0] += 1 }
      }
    }
    return .object(figures.mapValues(JSON.count))
  }

  private var movementOfRevenue: JSON {
    var parts: [(name: String, amount: ReferenceModel.Amount?)] = []
    for (name, moment) in [("start", question.from), ("end", question.instant)] {
      parts += lines(at: moment) { $0.set == "paid" }.map { (name, $0.position(at: moment)?.row.monthly) }
    }
    for change in changes {
      var (lost, gained) = change.revenueNames
      if change.isWithinASet, isAsked(change.old) != isAsked(change.new) {
        (lost, gained) = ("to_other_product", "from_other_product")
        guard change.new.set == "paid" else { continue }
      }
      if let lost, let amount = change.old?.row.monthly, isAsked(change.old) {
        parts.append((lost, .init(currency: amount.currency, micros: -amount.micros)))
      }
      if let gained, isAsked(change.new) { parts.append((gained, change.new.row.monthly)) }
    }
    let priced = parts.compactMap { part in part.amount.map { (part.name, $0) } }
    let none = Dictionary(uniqueKeysWithValues: Self.revenueNames.map { ("\($0)_micros", 0) })
    return .list(
      Dictionary(grouping: priced) { $0.1.currency }.map { currency, parts in
        let sums = parts.reduce(into: none) { $0["\($1.0)_micros", default: 0] += $1.1.micros }
        return .object(sums.mapValues(JSON.count).merging(["currency": .text(currency)]) { $1 })
      })
  }

  private static let revenueNames = [
    "start", "new", "converted", "recovered", "returned", "resubscribed", "to_trial", "to_retry",
    "to_overdue", "to_unattributed", "lost", "expansion", "contraction", "repriced",
    "from_other_product", "to_other_product", "end",
  ]
}
