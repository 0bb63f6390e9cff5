extension DuePolicy {
  /// Lines that the policy treats alike.
  public struct Stratum: Hashable, Sendable {
    public var state: LineState
    public var isPriceConsentPending = false
    public var isImportant = false
    /// Whether a lapsed one is long lapsed.
    public var isLongLapsed = false
    public var lines: Int
    /// How many of their current periods end on an average day: the sum of a day / period.
    public var expiriesPerDay: Double

    public init(state: LineState, lines: Int, expiriesPerDay: Double = 0) {
      self.state = state
      self.lines = lines
      self.expiriesPerDay = expiriesPerDay
    }
  }

  /// What one rule costs.
  public struct Cost: Hashable, Sendable, Encodable {
    public var rule: Rule
    public var lines: Int
    public var requestsPerDay: Double

    public init(rule: Rule, lines: Int, requestsPerDay: Double) {
      self.rule = rule
      self.lines = lines
      self.requestsPerDay = requestsPerDay
    }
  }

  /// What the policy costs in requests a day while the population stays as it is: an upper estimate, since checks
  /// that fall together, and lines that share a receipt, are counted apart.
  ///
  /// - Parameter linelessReceipts: receipts that hold no subscription.
  public func costs(of strata: [Stratum], linelessReceipts: Int = 0) -> [Cost] {
    var costs: [Rule: Cost] = [:]
    func add(_ rule: Rule, lines: Int, requests: Double) {
      guard lines > 0 else { return }
      costs[rule, default: Cost(rule: rule, lines: 0, requestsPerDay: 0)].lines += lines
      costs[rule, default: Cost(rule: rule, lines: 0, requestsPerDay: 0)].requestsPerDay += requests
    }
    for stratum in strata {
      let rule = rule(ofStratum: stratum)
      add(rule, lines: stratum.lines, requests: Double(stratum.lines) * perDay(wait(of: rule)))
      guard [.trial, .active].contains(stratum.state) else { continue }
      add(
        .aroundExpiry, lines: stratum.lines, requests: stratum.expiriesPerDay * Double(aroundExpiry.count))
      guard stratum.isImportant, important.every > 0 else { continue }
      let checks = Double(important.within) / Double(important.every)
      add(.important, lines: stratum.lines, requests: stratum.expiriesPerDay * checks)
    }
    add(.noLines, lines: linelessReceipts, requests: Double(linelessReceipts) * perDay(longLapsed))
    return Rule.allCases.compactMap { costs[$0] }
  }

  private func rule(ofStratum stratum: Stratum) -> Rule {
    let now = Instant(milliseconds: 0)
    var line = Prospect(state: stratum.state, expires: stratum.isLongLapsed ? now - longLapsedAfter : now)
    line.isPriceConsentPending = stratum.isPriceConsentPending
    return rule(of: line, at: now)
  }

  /// With the jitter's mean taken off the wait.
  private func perDay(_ wait: Int64) -> Double {
    wait > 0 ? Double(Milliseconds.day) / (Double(wait) * (1 - jitter / 2)) : 0
  }
}
