extension Trend {
  /// Adds rows that count alike, to each of their figures that is of what happened.
  ///
  /// - Parameter amount: of all of them together.
  public mutating func add(
    rows count: Int, naming figures: [String], amount: Money?, of panel: Panel, at place: Int?
  ) {
    for figure in figures where panel.happens(figure) {
      // What Apple leaves of a sale is not its amount.
      guard figure != "sales.proceeds" else { continue }
      if panel.isAmount(figure) {
        if let amount { add(amount.micros, to: figure, amount.currency, at: place) }
      } else {
        add(Int64(count), to: figure, at: place)
      }
    }
  }

  /// Adds lines that are in a state at the end of a stretch, or at the window's start.
  public mutating func add(
    lines count: Int, in state: LineState, monthly: Money?, of panel: Panel, at place: Int?
  ) {
    guard let names = panel.stateFigures else { return }
    let name: String? =
      switch state {
      case .active: names.paid
      case .trial: names.trial
      case .grace: names.grace
      case .billingRetry: names.billingRetry
      case .overdue, .unattributed, .revoked, .expired: nil
      }
    if let name { add(Int64(count), to: name, at: place) }
    if state == .active, let mrr = names.mrr, let monthly {
      add(monthly.micros, to: mrr, monthly.currency, at: place)
    }
  }

  /// Takes back what nobody can know.
  ///
  /// - Parameters:
  ///   - unobserved: the stretches at whose end renewal infos are missing; nil for the window's start.
  ///   - hasStart: whether any line had begun by the window's start.
  public mutating func forget(_ panel: Panel, unobserved: Set<Int?>, hasStart: Bool) {
    let states = [panel.stateFigures?.grace, panel.stateFigures?.billingRetry].compactMap { $0 }
    for name in states { for place in unobserved { forget(name, at: place) } }
    if unobserved.contains(nil) {
      for name in series.map(\.figure) where panel.needsRenewalInfo(name) { forget(name, at: nil) }
    }
    if !hasStart { forgetBefore() }
  }
}
