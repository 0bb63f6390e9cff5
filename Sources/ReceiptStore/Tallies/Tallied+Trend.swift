import Subscriptions

extension Tallied {
  func trend(_ asking: Asking) throws -> Trend {
    let (question, panel) = (asking.question, asking.question.panel)
    var trend = Trend(of: question.window)
    var unobserved: Set<Int?> = []
    let last = question.window.stretchEnds.count - 1
    var states: [(place: Int?, groups: [StandingGroup])] = [(nil, start.groups(question))]
    if panel.stateFigures != nil {
      states += steps.enumerated().map { ($0, $1.groups(question)) } + [(last, standing.groups(question))]
    }
    for (place, groups) in states {
      for group in groups where group.lines > 0 {
        if group.detail.isUnobserved { unobserved.insert(place) }
        guard panel.stateFigures != nil else { continue }
        trend.add(lines: group.lines, in: group.detail.state, monthly: group.monthly, of: panel, at: place)
      }
    }
    for (place, sums) in window.stretches.enumerated() {
      add(sums, to: &trend, question, catalog: asking.catalog, at: place)
    }
    add(window.before, to: &trend, question, catalog: asking.catalog, at: nil)
    if panel.tellsLosses {
      add(losses, pending, to: &trend, asking) { $0 }
      var earlier = asking
      earlier.question = question.before
      let turns = try TurnTallies(earlier, book)
      add(try turns.groups(.loss), try turns.groups(.pending), to: &trend, earlier) { _ in nil }
    }
    trend.forget(panel, unobserved: unobserved, hasStart: !states[0].groups.isEmpty)
    return trend
  }

  private func add(
    _ sums: TallyBook.Sums, to trend: inout Trend, _ question: Question, catalog: Catalog, at place: Int?
  ) {
    for (known, value) in sums where question.includes(known.key) && value.count != 0 {
      let amount = known.key.currency.map { Money(micros: value.micros, currency: $0) }
      let counted = known.figures(of: question, catalog: catalog, count: value.count, amount: amount)
      for (figures, amount) in counted {
        trend.add(rows: Int(value.count), naming: figures, amount: amount, of: question.panel, at: place)
      }
    }
  }

  private func add(
    _ losses: [TurnTallies.Group], _ spells: [TurnTallies.Group], to trend: inout Trend, _ asking: Asking,
    at place: (Int) -> Int?
  ) {
    let (panel, catalog) = (asking.question.panel, asking.catalog)
    for loss in losses {
      trend.add(
        rows: loss.lines, naming: loss.place.loss?.figures(of: panel) ?? [], amount: nil, of: panel,
        at: place(loss.place.stretch))
    }
    var pending: [Place: Int] = [:]
    for spell in spells {
      pending[
        Place(stretch: place(spell.place.stretch), period: catalog.renewals(of: spell.place.product)),
        default: 0] +=
        spell.lines
    }
    var unrenewed = pending.mapValues { -$0 }
    let windows = place(0) == nil ? [window.before] : window.stretches
    for (stretch, sums) in windows.enumerated() {
      for group in sums.groups(.due, asking.question) where group.detail == PeriodOutcome.unrenewed.rawValue {
        unrenewed[Place(stretch: place(stretch), period: catalog.renewals(of: group.product)), default: 0] +=
          group.rows
      }
    }
    for (found, name) in [(pending, "pending"), (unrenewed, "lost")] {
      for (place, lines) in found where lines > 0 {
        trend.add(
          rows: lines, naming: ["\(place.period).\(name)"], amount: nil, of: panel, at: place.stretch)
      }
    }
  }

  private struct Place: Hashable {
    var stretch: Int?
    var period: String
  }
}

extension Catalog {
  /// How a figure names the renewals of a product.
  fileprivate func renewals(of product: ProductID) -> String {
    "renewals.\(period(of: product)?.iso8601 ?? "unknown")"
  }
}

extension LossDetail {
  /// As the panel's rows name them.
  fileprivate func figures(of panel: Panel) -> [String] {
    let kind = isPaid ? "paid" : "trial"
    if isRevoked { return ["lost_\(kind)"] + (panel == .churn ? ["refunded.\(kind)"] : []) }
    var figures = ["lost_\(kind)", "by_intent.\(intent?.rawValue ?? "unknown").\(kind)"]
    guard panel == .churn, isPaid else { return figures }
    if intent == .customerCancelled { figures.append("voluntary") }
    if intent == .billingError { figures.append("involuntary") }
    return figures
  }
}

extension KnownKey {
  /// The figures that what happened is counted in, as the panel's rows name them; what is lost of what came due is told
  /// elsewhere.
  fileprivate func figures(
    of question: Question, catalog: Catalog, count: Int64, amount: Money?
  ) -> [(figures: [String], amount: Money?)] {
    let (panel, detail) = (question.panel, key.detail)
    switch key.family {
    case .bought: return bought.map { figures(of: $0, question, count: count) } ?? []
    case .due:
      let renewals = catalog.renewals(of: key.product)
      return [(["\(renewals).due"] + (detail == "renewed" ? ["\(renewals).renewed"] : []), nil)]
    case .trialEnd:
      let outcome = PeriodOutcome(rawValue: detail)
      let converted = [PeriodOutcome.converted: "trials.converted", .convertedLate: "trials.converted_late"]
      return [(["trials.ended"] + [outcome.flatMap { converted[$0] }].compactMap(\.self), nil)]
    case .refund: return [(refundFigures(of: panel), amount)]
    case .oneTimeRefund: return [(["one_time"], nil)]
    case .upgrade:
      let (direction, isConfirmed) = TallyKey.upgrade(detail)
      let priced = key.currency == nil ? "unpriced" : "prorated_refund"
      if panel == .overview { return key.currency == nil ? [] : [([priced], amount)] }
      let name = direction == .downgrade ? ChangeDirection.unranked : direction
      return [(["immediate.\(name.rawValue)", isConfirmed ? "confirmed" : "estimated", priced], amount)]
    case .undated: return [(["undated"], nil)]
    case .change:
      let direction = ChangeDirection(rawValue: detail) ?? .unranked
      let name = direction == .upgrade ? ChangeDirection.unranked : direction
      return [(["at_renewal.\(name.rawValue)"], nil)]
    case .event: return [([Panel.eventCount], nil)]
    case .state, .fresh, .shared, .unpriced, .end, .failing, .loss, .pending, .leaver, .longLeaver, .holder:
      return []
    }
  }

  private func refundFigures(of panel: Panel) -> [String] {
    if panel == .overview { return ["refunds"] + (key.currency == nil ? [] : ["refund_amount"]) }
    let reason = ["1": "app_issue", "0": "other"][key.detail] ?? "unknown"
    return ["count", "by_reason.\(reason)", key.currency == nil ? "unpriced" : "amount"]
  }

  private func figures(
    of detail: BoughtDetail, _ question: Question, count: Int64
  ) -> [(figures: [String], amount: Money?)] {
    let panel = question.panel
    var all: [(figures: [String], amount: Money?)] = []
    if panel != .refunds { all.append((["arrivals.\(detail.arrival.rawValue)"], nil)) }
    guard detail.isPaid else { return all }
    if panel != .churn { all.append((["cohort.paid_transactions"], nil)) }
    guard panel == .overview else { return all }
    var sales = ["sales.transactions"]
    if detail.isPastFirstYear {
      sales.append("sales.after_one_year")
    } else if question.smallBusinessProgram.contains(detail.app, at: question.at) {
      sales.append("sales.small_business")
    }
    let price = detail.price(in: key.currency)
    sales.append(price == nil ? "sales.unpriced" : "sales.amount")
    let amount = price.map { Money(micros: $0.micros &* count, currency: $0.currency) }
    all.append((sales, amount))
    return all
  }
}
