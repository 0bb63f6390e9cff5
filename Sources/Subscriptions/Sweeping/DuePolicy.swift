/// Rules for when a receipt is due, by the state of its lines, with durations in milliseconds.
///
/// Apple renews up to 24 hours ahead and reports lapses late, so most checks are close to the expiry.
public struct DuePolicy: Hashable, Sendable {
  /// Offsets of checks from an expiry; the default lacks 0, because Apple does not know the outcome then.
  public var aroundExpiry = [
    -24 * Milliseconds.hour, Milliseconds.hour, 6 * Milliseconds.hour, 24 * Milliseconds.hour,
  ]
  public var important = ImportantLines()
  public var trial = Milliseconds.day
  /// Interval of checks in mid-period, which detect refunds and auto-renew switched off.
  public var active = 7 * Milliseconds.day
  public var priceConsentPending = Milliseconds.day
  public var overdue = Milliseconds.hour
  public var grace = 6 * Milliseconds.hour
  public var billingRetry = Milliseconds.day
  public var lapsed = 7 * Milliseconds.day
  public var longLapsed = 30 * Milliseconds.day
  public var longLapsedAfter = 90 * Milliseconds.day
  /// Maximum share of a wait, 0 to 1, that jitter adds around an expiry and subtracts in other cases.
  public var jitter = 0.1

  public static let standard = DuePolicy()

  public init() {}

  public struct Prospect: Hashable, Sendable {
    public var state: LineState
    public var expires: Instant
    public var isPriceConsentPending = false
    public var isImportant = false

    public init(state: LineState, expires: Instant) { (self.state, self.expires) = (state, expires) }
  }

  /// Rule that decided when a receipt is due, usually by the state of its most urgent line.
  public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
    case aroundExpiry = "around_expiry"
    case important
    case trial
    case active
    case priceConsentPending = "price_consent_pending"
    case overdue
    case grace
    case billingRetry = "billing_retry"
    case lapsed
    case longLapsed = "long_lapsed"
    /// Receipt without a subscription, which is checked as rarely as one that lapsed long ago.
    case noLines = "no_lines"
    /// Receipt that was just imported, or whose check a notification requested.
    case new
    case failed
    /// The last answer exceeded the maximum length.
    case tooLong = "too_long"
  }

  /// Next check of a receipt, with the rule that decided it.
  public struct Due: Hashable, Sendable {
    public var at: Instant
    public var rule: Rule

    public init(at: Instant, rule: Rule) { (self.at, self.rule) = (at, rule) }
  }

  /// Returns the earliest check that any line needs; `chance`, in 0..<1, is the part of the jitter to apply.
  public func nextDue(for prospects: [Prospect], at now: Instant, chance: Double = 0) -> Due {
    prospects.map { nextDue(for: $0, at: now, chance: chance) }.min { $0.at < $1.at }
      ?? Due(at: now + shortened(longLapsed, chance), rule: .noLines)
  }

  private func nextDue(for line: Prospect, at now: Instant, chance: Double) -> Due {
    let rule = rule(of: line, at: now)
    var wishes = [Due(at: now + shortened(wait(of: rule), chance), rule: rule)]
    if let offset = aroundExpiry.filter({ line.expires + $0 > now }).min() {
      let delay = Double(offset == 0 ? Milliseconds.hour : abs(offset)) * jitter * chance
      wishes.append(Due(at: line.expires + offset + Int64(delay), rule: .aroundExpiry))
    }
    if line.isImportant, now < line.expires {
      let next = max(line.expires - important.within, now + shortened(important.every, chance))
      if next < line.expires { wishes.append(Due(at: next, rule: .important)) }
    }
    return wishes.min { $0.at < $1.at } ?? wishes[0]
  }

  public func rule(of line: Prospect, at now: Instant) -> Rule {
    switch line.state {
    case .trial where !line.isPriceConsentPending || trial <= priceConsentPending: .trial
    case .active where !line.isPriceConsentPending || active <= priceConsentPending: .active
    case .trial, .active: .priceConsentPending
    case .overdue: .overdue
    case .grace: .grace
    case .billingRetry: .billingRetry
    case .expired, .revoked, .unattributed: now - line.expires < longLapsedAfter ? .lapsed : .longLapsed
    }
  }

  /// Returns the milliseconds from one check to the next; 0 if the rule has no interval.
  public func wait(of rule: Rule) -> Int64 {
    switch rule {
    case .trial: trial
    case .active: active
    case .priceConsentPending: priceConsentPending
    case .overdue: overdue
    case .grace: grace
    case .billingRetry: billingRetry
    case .lapsed: lapsed
    case .longLapsed, .noLines: longLapsed
    case .important: important.every
    case .aroundExpiry, .new, .failed, .tooLong: 0
    }
  }

  /// Longest wait of a receipt without failures; a later due date was computed with a wrong clock.
  public var longestWait: Int64 {
    let around = aroundExpiry.map { $0 + Int64(Double(abs($0)) * jitter) }.max() ?? 0
    return max(Rule.allCases.map(wait).max() ?? 0, around, Milliseconds.day)
  }

  private func shortened(_ wait: Int64, _ chance: Double) -> Int64 {
    wait - Int64(Double(wait) * jitter * chance)
  }

  /// Lines that the same rule applies to, for estimating the cost of a policy.
  public struct Stratum: Hashable, Sendable {
    public var rule: Rule
    public var isImportant: Bool
    public var lines: Int
    /// Number of pairs of a line and a receipt that contains it; the estimate has a request for each pair.
    public var holdings: Int
    /// Average number of periods that end in a day: the sum of one day / period length over all holdings.
    public var expiriesPerDay: Double

    /// Creates a stratum in which each line is in one receipt.
    public init(_ rule: Rule, isImportant: Bool = false, lines: Int = 0, expiriesPerDay: Double = 0) {
      (self.rule, self.isImportant, self.lines, holdings) = (rule, isImportant, lines, lines)
      self.expiriesPerDay = expiriesPerDay
    }
  }

  /// Estimated requests per day of one rule.
  public struct Cost: Hashable, Sendable, Encodable {
    public var rule: Rule
    /// Number of distinct lines, or of receipts for `noLines`.
    public var lines: Int
    public var requestsPerDay: Double

    public init(rule: Rule, lines: Int, requestsPerDay: Double) {
      (self.rule, self.lines, self.requestsPerDay) = (rule, lines, requestsPerDay)
    }
  }

  /// Returns the estimated requests per day while the number of lines stays the same.
  ///
  /// The estimate is high, because checks that one request may combine are counted separately.
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

  private func perDay(_ wait: Int64) -> Double {
    wait > 0 ? Double(Milliseconds.day) / (Double(wait) * (1 - jitter / 2)) : 0
  }
}

/// Lines that are checked more often in the last hours before they expire.
public struct ImportantLines: Hashable, Sendable {
  public var products: Set<ProductID> = []
  public var users: Set<AppUserID> = []
  public var every = Milliseconds.hour
  /// Milliseconds before the expiry at which these checks begin.
  public var within = Milliseconds.day

  public init() {}

  public func contains(_ product: ProductID?, of user: AppUserID?) -> Bool {
    product.map(products.contains) ?? false || user.map(users.contains) ?? false
  }
}

extension [DuePolicy.Cost] {
  /// Number of distinct lines; `aroundExpiry` and `important` repeat lines, and `noLines` counts receipts.
  public var lines: Int {
    filter { ![.aroundExpiry, .important, .noLines].contains($0.rule) }.reduce(0) { $0 + $1.lines }
  }
}
