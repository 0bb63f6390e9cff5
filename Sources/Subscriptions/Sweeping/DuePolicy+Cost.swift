extension DuePolicy {
  /// Lines that the policy treats alike.
  public struct Stratum: Hashable, Sendable {
    public var rule: Rule
    public var isImportant: Bool
    /// Each once, however many receipts hold it.
    public var lines: Int
    /// How often receipts hold one of them: each is asked about with every one.
    public var holdings: Int
    /// How many of their current periods end on an average day: the sum of a day / period, for every holding.
    public var expiriesPerDay: Double

    /// Each line is held by one receipt.
    public init(_ rule: Rule, isImportant: Bool = false, lines: Int = 0, expiriesPerDay: Double = 0) {
      (self.rule, self.isImportant, self.lines, holdings) = (rule, isImportant, lines, lines)
      self.expiriesPerDay = expiriesPerDay
    }
  }

  /// What one rule costs.
  public struct Cost: Hashable, Sendable, Encodable {
    public var rule: Rule
    /// Each once; of `noLines` receipts.
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
    func add(_ rule: Rule, _ stratum: Stratum, requests: Double) {
      guard stratum.holdings > 0 else { return }
      costs[rule, default: Cost(rule: rule, lines: 0, requestsPerDay: 0)].lines += stratum.lines
      costs[rule, default: Cost(rule: rule, lines: 0, requestsPerDay: 0)].requestsPerDay += requests
    }
    for stratum in strata {
      add(stratum.rule, stratum, requests: Double(stratum.holdings) * perDay(wait(of: stratum.rule)))
      guard [.trial, .active, .priceConsentPending].contains(stratum.rule) else { continue }
      add(.aroundExpiry, stratum, requests: stratum.expiriesPerDay * Double(aroundExpiry.count))
      guard stratum.isImportant, important.every > 0 else { continue }
      let checks = Double(important.within) / Double(important.every)
      add(.important, stratum, requests: stratum.expiriesPerDay * checks)
    }
    if linelessReceipts > 0 {
      costs[.noLines] = Cost(
        rule: .noLines, lines: linelessReceipts,
        requestsPerDay: Double(linelessReceipts) * perDay(longLapsed))
    }
    return Rule.allCases.compactMap { costs[$0] }
  }

  /// With the jitter's mean taken off the wait.
  private func perDay(_ wait: Int64) -> Double {
    wait > 0 ? Double(Milliseconds.day) / (Double(wait) * (1 - jitter / 2)) : 0
  }
}

extension [DuePolicy.Cost] {
  /// All lines, each once: checks around an expiry and in important lines' last hours come beside another rule's.
  public var lines: Int {
    filter { ![.aroundExpiry, .important, .noLines].contains($0.rule) }.reduce(0) { $0 + $1.lines }
  }
}
