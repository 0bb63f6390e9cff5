/// Rules for the positions, changes and facts that each figure of a panel counts, by the figure's path in the
/// panel's JSON (METRICS §4 and §5).
public struct PanelCounting: Sendable {
  public let panel: Panel

  public init(_ panel: Panel) { self.panel = panel }

  func terms(_ position: PositionClass, at end: FigureDefinition.WindowEnd) -> [LineTerm] {
    guard panel != .movement else { return Movement.terms(position, at: end) }
    let paths = end == .start ? pathsAtStart(position) : paths(position)
    return paths.map { LineTerm(path: $0, currency: position.currency) }
  }

  func terms(_ change: ScopedChange) -> [LineTerm] {
    panel == .movement ? Movement.terms(change) : paths(change).map { LineTerm(path: $0) }
  }

  var followsLines: Bool { followsChanges || panel.figures.contains { $0.trend == .standing } }

  var followsChanges: Bool { panel == .overview || panel == .churn || panel == .movement }

  private func paths(_ position: PositionClass) -> [String] {
    switch panel {
    case .active:
      active(position) + (position.state == .active ? ["by_kind.\(position.kind.rawValue)"] : [])
        + (position.state == .trial && position.autoRenew == false ? ["trial_auto_renew_off"] : [])
    case .overview:
      active(position).map { $0 == "paid" ? "active_paid" : $0 }
        + failing(position, retry: "billing_retry", grace: nil)
    case .billingRetry: failing(position, retry: "lines", grace: "grace.lines")
    case .upgrades: position.isChangePending && position.isServed ? ["pending"] : []
    case .churn, .refunds, .events, .movement, .recovery, .cohorts, .offers: []
    }
  }

  private func pathsAtStart(_ position: PositionClass) -> [String] {
    (panel == .churn || panel == .overview) && position.isInChurnBase ? ["base_at_start"] : []
  }

  /// Returns the paths of the figures that count a change (METRICS §5, Churn by expiration intent).
  private func paths(_ change: ScopedChange) -> [String] {
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

  static func path(ofIntent intent: ExpirationIntent?) -> String {
    byIntent + (intent?.rawValue ?? "unknown")
  }

  /// Returns the expiration intent in a path; `nil` for other figures and for an unknown intent.
  static func intent(ofPath path: String) -> ExpirationIntent? {
    guard path.hasPrefix(byIntent), let end = path.lastIndex(of: ".") else { return nil }
    let intent = path[path.index(path.startIndex, offsetBy: byIntent.count)..<end]
    return intent == "unknown" ? nil : ExpirationIntent(String(intent))
  }

  private static let byIntent = "by_intent."

  private func active(_ position: PositionClass) -> [String] {
    switch position.set {
    case .trial: return ["trial"]
    case .overdue: return ["overdue"]
    case .paid:
      let autoRenew = position.autoRenew.map { $0 ? "renewing" : "auto_renew_off" } ?? "auto_renew_unknown"
      return ["paid", position.state == .grace ? "grace" : autoRenew] + revenue("mrr", position)
    default: return []
    }
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

  var families: [FactFamily] {
    switch panel {
    case .overview: [.bought, .due, .trialEnd, .refund, .upgrade]
    case .active, .billingRetry, .movement, .recovery, .cohorts, .offers: []
    case .churn: [.bought, .due, .trialEnd]
    case .refunds: [.bought, .refund, .oneTimeRefund]
    case .upgrades: [.change, .undated, .upgrade]
    case .events: [.event]
    }
  }

  /// Families of facts that the panel counts as balances at the question's instant.
  var standingFamilies: [FactFamily] { panel == .overview ? DueHorizon.allCases.map { FactFamily($0) } : [] }

  /// Returns the groups of figures that count a fact; `t` is the date for the Small Business Program.
  func counted(_ fact: FactClass, _ question: Question, at t: Instant) -> [CountedFact] {
    let isPriced = fact.currency != nil
    switch fact.kind {
    case .bought(let bought):
      return counted(bought, isPriced ? bought.priceMicros : nil, question, at: t)
    case .due(let result, let period):
      let renewals = Self.path(ofPeriod: period)
      return [CountedFact(.due, rows: ["\(renewals).due", "\(renewals).\(result.rawValue)"])]
    case .trialEnd(let outcome):
      let converted = [PeriodOutcome.converted: "trials.converted", .convertedLate: "trials.converted_late"]
      return [CountedFact(.trialEnd, rows: ["trials.ended"] + [converted[outcome]].compactMap(\.self))]
    case .refund(let reason):
      if panel == .overview {
        return [CountedFact(.refund, [.rows("refunds")] + (isPriced ? [.amount("refund_amount")] : []))]
      }
      let reason = ["1": "app_issue", "0": "other"][reason ?? ""] ?? "unknown"
      return [
        CountedFact(
          .refund,
          [.rows("count"), .rows("by_reason.\(reason)"), isPriced ? .amount("amount") : .rows("unpriced")])
      ]
    case .oneTimeRefund: return [CountedFact(.refund, rows: ["one_time"])]
    case .upgrade(let direction, let isConfirmed):
      let refund = isPriced ? CountedFact.Part.amount("prorated_refund") : .rows("unpriced")
      if panel == .overview { return isPriced ? [CountedFact(.upgrade, [refund])] : [] }
      let name = direction == .downgrade ? ChangeDirection.unranked : direction
      let dated = isConfirmed ? "confirmed" : "estimated"
      return [CountedFact(.upgrade, [.rows("immediate.\(name.rawValue)"), .rows(dated), refund])]
    case .undated: return [CountedFact(.upgrade, rows: ["undated"])]
    case .change(let direction):
      let name = direction == .upgrade ? ChangeDirection.unranked : direction
      return [CountedFact(.change, rows: ["at_renewal.\(name.rawValue)"])]
    case .event: return [CountedFact(.event, rows: [Panel.eventCount])]
    case .comingDue(let horizon, let isRenewing):
      let path = horizon.path
      let price = isPriced ? CountedFact.Part.amount("\(path).expected") : .rows("\(path).unpriced")
      return [
        CountedFact(.due, [.rows("\(path).lines")] + (isRenewing ? [.rows("\(path).renewing"), price] : []))
      ]
    case .fresh, .shared, .unpriced, .retry, .offer, .offerRevenue, .optOut, .endingSoon, .consent,
      .pendingConsent:
      return []
    }
  }

  private func counted(
    _ bought: FactKind.Bought, _ price: Int64?, _ question: Question, at t: Instant
  ) -> [CountedFact] {
    let arrival = CountedFact(.arrival, rows: ["arrivals.\(bought.arrival.rawValue)"])
    let cohort = CountedFact(
      .cohort, rows: ["cohort.paid_transactions"] + (bought.isRefunded ? ["cohort.refunded"] : []))
    return switch panel {
    case .overview: bought.isPaid ? [arrival, cohort, sale(bought, price, question, at: t)] : [arrival]
    case .refunds: bought.isPaid ? [cohort] : []
    default: [arrival]
    }
  }

  private func sale(
    _ bought: FactKind.Bought, _ price: Int64?, _ question: Question, at t: Instant
  ) -> CountedFact {
    let commission = Commission(
      isPastFirstYear: bought.isPastFirstYear,
      isSmallBusiness: question.smallBusinessProgram.contains(bought.app, at: t))
    let amounts =
      price.map { micros in
        [
          CountedFact.Part(path: "sales.amount", unit: .sale(micros)),
          CountedFact.Part(
            path: Panel.proceeds, unit: .proceeds(commission.proceeds(of: micros), commission)),
        ]
      } ?? [.rows("sales.unpriced")]
    return CountedFact(.sale, [.rows("sales.transactions")] + amounts + commission.parts)
  }

  static func path(ofPeriod period: Period?) -> String { "renewals.\(period?.iso8601 ?? "unknown")" }
}

extension PositionClass {
  /// Whether a line is in the base of the churn rate (METRICS §5): Paid, or Retry after a paid row.
  var isInChurnBase: Bool { self.set == .paid || (self.set == .retry && self.kind != .trial) }

  /// Whether pending product changes of the line are counted (METRICS §4, Pending changes).
  var isServed: Bool { [.trial, .paid, .retry].contains(self.set) }
}

/// Group of figures that count a fact and share one row for it.
struct CountedFact {
  struct Part {
    var path: String
    var unit: Unit
  }

  enum Unit {
    case rows
    case amount
    /// Price of each sale, in micros of the class's currency.
    case sale(Int64)
    /// Proceeds of each sale after Apple's commission, in micros of the class's currency.
    case proceeds(Int64, Commission)
  }

  enum Reason { case arrival, cohort, sale, due, trialEnd, refund, upgrade, change, event }

  var parts: [Part]
  var reason: Reason

  init(_ reason: Reason, _ parts: [Part]) { (self.reason, self.parts) = (reason, parts) }

  init(_ reason: Reason, rows paths: [String]) { self.init(reason, paths.map { .rows($0) }) }
}

extension CountedFact.Part {
  static func rows(_ path: String) -> Self { Self(path: path, unit: .rows) }
  static func amount(_ path: String) -> Self { Self(path: path, unit: .amount) }
}

extension Commission {
  fileprivate var parts: [CountedFact.Part] {
    switch self {
    case .standard: []
    case .afterOneYear: [.rows("sales.after_one_year")]
    case .smallBusiness: [.rows("sales.small_business")]
    }
  }
}
