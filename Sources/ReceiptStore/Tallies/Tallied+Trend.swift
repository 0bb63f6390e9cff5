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
    var courses = FigureCourses(question, catalog: asking.catalog)
    for (place, sums) in window.stretches.enumerated() { courses.add(sums, at: place) }
    courses.add(window.before, at: nil)
    courses.write(to: &trend)
    if panel.tellsLosses {
      add(losses, pending, to: &trend, asking) { $0 }
      var earlier = asking
      earlier.question = question.before
      let turns = try TurnTallies(earlier, book, isByStretch: false)
      add(try turns.groups(.loss), try turns.groups(.pending), to: &trend, earlier) { _ in nil }
    }
    trend.forget(panel, unobserved: unobserved, hasStart: !states[0].groups.isEmpty)
    return trend
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
  func renewals(of product: ProductID) -> String {
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
