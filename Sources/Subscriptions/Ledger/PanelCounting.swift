/// The figures of a panel that are balances of positions or flows between them: METRICS §4 and §5, by their paths in the panel's JSON.
public struct PanelCounting: FigureCounting {
  public let panel: Panel

  public init(_ panel: Panel) { self.panel = panel }

  public func counted(
    _ position: PositionClass, at end: FigureDefinition.WindowEnd, _ question: Question
  ) -> Counted? {
    guard question.includes(position) else { return nil }
    let paths = end == .start ? pathsAtStart(position) : paths(position)
    guard !paths.isEmpty else { return nil }
    return Counted(
      paths: paths,
      currency: paths.contains { panel.figure($0)?.isRevenue ?? false } ? position.currency : nil)
  }

  public func counted(_ change: ChangeClass, _ question: Question) -> [Counted] {
    guard let scoped = ScopedChange(change, in: question) else { return [] }
    let paths = paths(scoped)
    return paths.isEmpty ? [] : [Counted(paths: paths)]
  }

  /// Whether a trend follows where lines stand, or what they did.
  var followsLines: Bool { followsChanges || panel.figures.contains { $0.trend == .standing } }

  /// Whether a trend follows what lines did.
  var followsChanges: Bool { panel == .overview || panel == .churn || panel.declaredFigures != nil }

  /// Of a line that stands there at the window's end.
  func paths(_ position: PositionClass) -> [String] {
    switch panel {
    case .active: active(position) + byKind(position) + trialAutoRenewOff(position)
    case .overview:
      active(position).map { $0 == "paid" ? "active_paid" : $0 }
        + failing(position, retry: "billing_retry", grace: nil)
    case .billingRetry: failing(position, retry: "lines", grace: "grace.lines")
    case .upgrades: position.isChangePending && position.isServed ? ["pending"] : []
    case .churn, .refunds, .events, .movement, .recovery, .cohorts, .offers: []
    }
  }

  /// Of a line that stood there at the window's start.
  func pathsAtStart(_ position: PositionClass) -> [String] {
    panel == .churn && position.isInChurnBase ? ["base_at_start"] : []
  }

  /// METRICS §5, Churn by expiration intent.
  func paths(_ change: ScopedChange) -> [String] {
    if panel == .offers {
      let isOverPrice = change.reason == .intent(.customerDidNotConsentToPriceIncrease)
      return change.old != nil && change.flow == .lost && isOverPrice ? ["price_increases.lost"] : []
    }
    guard panel == .churn || panel == .overview, change.old != nil else { return [] }
    let kind: String
    switch change.flow {
    case .lost?: kind = "paid"
    case .trialLost?: kind = "trial"
    default: return []
    }
    var paths = ["lost_\(kind)"] + (kind == "paid" ? ["churn_rate"] : [])
    switch change.reason {
    case .refunded?: paths += panel == .churn ? ["refunded.\(kind)"] : []
    case .intent(let intent)?:
      paths.append("\(Self.path(ofIntent: intent)).\(kind)")
      guard panel == .churn, kind == "paid" else { break }
      if intent == .customerCancelled { paths.append("voluntary") }
      if intent == .billingError { paths.append("involuntary") }
    case .unknown?, nil: paths.append("\(Self.path(ofIntent: nil)).\(kind)")
    }
    return paths
  }

  /// The figures of lines that were lost by an intent, without their kind.
  ///
  /// - Parameter intent: nil is unknown.
  static func path(ofIntent intent: ExpirationIntent?) -> String {
    byIntent + (intent?.rawValue ?? "unknown")
  }

  /// Nil for other figures, and for lines lost by nobody knows what.
  static func intent(ofPath path: String) -> ExpirationIntent? {
    guard path.hasPrefix(byIntent), let end = path.lastIndex(of: ".") else { return nil }
    let intent = path[path.index(path.startIndex, offsetBy: byIntent.count)..<end]
    return intent == "unknown" ? nil : ExpirationIntent(String(intent))
  }

  private static let byIntent = "by_intent."

  private func active(_ position: PositionClass) -> [String] {
    switch (position.set, position.state) {
    case (.trial, _): ["trial"]
    case (.overdue, _): ["overdue"]
    case (.paid, .grace): ["paid", "grace"] + revenue("mrr", position)
    case (.paid, _): ["paid", autoRenew(position)] + revenue("mrr", position)
    default: []
    }
  }

  private func autoRenew(_ position: PositionClass) -> String {
    switch position.autoRenew {
    case true?: "renewing"
    case false?: "auto_renew_off"
    case nil: "auto_renew_unknown"
    }
  }

  private func trialAutoRenewOff(_ position: PositionClass) -> [String] {
    position.state == .trial && position.autoRenew == false ? ["trial_auto_renew_off"] : []
  }

  private func byKind(_ position: PositionClass) -> [String] {
    position.state == .active ? ["by_kind.\(position.kind.rawValue)"] : []
  }

  private func failing(_ position: PositionClass, retry: String, grace: String?) -> [String] {
    switch position.state {
    case .billingRetry: [retry] + revenue("at_risk_mrr.billing_retry", position)
    case .grace: (grace.map { [$0] } ?? []) + revenue("at_risk_mrr.grace", position)
    default: []
    }
  }

  private func revenue(_ path: String, _ position: PositionClass) -> [String] {
    position.currency == nil ? [] : [path]
  }
}

extension PositionClass {
  /// METRICS §5, Churn rate: lines in Paid or, not of a trial's row, Retry.
  var isInChurnBase: Bool { self.set == .paid || (self.set == .retry && kind != .trial) }

  /// METRICS §4, Pending changes.
  var isServed: Bool { [.trial, .paid, .retry].contains(self.set) }
}
