/// When a receipt is worth asking Apple about again, by what its lines are waiting for. All spans are milliseconds.
///
/// Apple renews up to 24 hours ahead and tells a lapse some time after the expiry, so the checks gather around it.
public struct DuePolicy: Hashable, Sendable {
  /// Checks around an expiry, from it: at the instant itself Apple does not know yet either.
  public var aroundExpiry = [
    -24 * Milliseconds.hour, Milliseconds.hour, 6 * Milliseconds.hour, 24 * Milliseconds.hour,
  ]
  public var important = ImportantLines()
  public var trial = Milliseconds.day
  /// In mid-period: to see refunds and auto-renew switched off.
  public var active = 7 * Milliseconds.day
  /// While somebody has not answered a price increase yet.
  public var priceConsentPending = Milliseconds.day
  /// Expired by its dates, and nothing heard since.
  public var overdue = Milliseconds.hour
  public var grace = 6 * Milliseconds.hour
  public var billingRetry = Milliseconds.day
  public var lapsed = 7 * Milliseconds.day
  public var longLapsed = 30 * Milliseconds.day
  /// After so long a lapse is a long one.
  public var longLapsedAfter = 90 * Milliseconds.day
  /// The share of a wait, 0 to 1, by which receipts are kept apart. A wait is never longer for it, a check around an
  /// expiry never earlier.
  public var jitter = 0.1

  public static let standard = DuePolicy()

  public init() {}
}

/// Lines that are watched more closely in the last hours before they expire.
public struct ImportantLines: Hashable, Sendable {
  public var products: Set<ProductID> = []
  public var users: Set<AppUserID> = []
  /// Milliseconds from one check to the next.
  public var every = Milliseconds.hour
  /// Milliseconds before the expiry at which it begins.
  public var within = Milliseconds.day

  public init() {}

  public func contains(_ product: ProductID?, of user: AppUserID?) -> Bool {
    product.map(products.contains) ?? false || user.map(users.contains) ?? false
  }
}

extension DuePolicy {
  /// What a line is waiting for.
  public struct Prospect: Hashable, Sendable {
    public var state: LineState
    /// The current row's expiry.
    public var expires: Instant
    public var isPriceConsentPending = false
    public var isImportant = false

    public init(state: LineState, expires: Instant) {
      self.state = state
      self.expires = expires
    }
  }

  /// Why a receipt comes due when it does.
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
    /// A receipt without a subscription is asked about as seldom as one long lapsed.
    case noLines = "no_lines"
    /// Just imported, or called for by a notification.
    case new
    /// The last try failed.
    case failed
    /// The last answer was longer than any that is taken.
    case tooLong = "too_long"
  }

  public struct Due: Hashable, Sendable {
    public var at: Instant
    public var rule: Rule

    public init(at: Instant, rule: Rule) {
      self.at = at
      self.rule = rule
    }
  }

  /// The earliest of what the lines want.
  ///
  /// - Parameter chance: where in the jitter's range the receipt falls, 0 to below 1.
  public func nextDue(for prospects: [Prospect], at now: Instant, chance: Double = 0) -> Due {
    prospects.map { nextDue(for: $0, at: now, chance: chance) }.min { $0.at < $1.at }
      ?? Due(at: now + shortened(longLapsed, chance), rule: .noLines)
  }

  private func nextDue(for line: Prospect, at now: Instant, chance: Double) -> Due {
    let rule = rule(of: line, at: now)
    var wishes = [Due(at: now + shortened(wait(of: rule), chance), rule: rule)]
    // The first is the earliest, whatever order the configuration gives them in.
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

  /// Milliseconds from one check to the next.
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

  /// The longest that a receipt waits where nothing fails; whatever is due later was planned by another clock.
  public var longestWait: Int64 {
    let around = aroundExpiry.map { $0 + Int64(Double(abs($0)) * jitter) }.max() ?? 0
    return max(Rule.allCases.map(wait).max() ?? 0, around, Milliseconds.day)
  }

  private func shortened(_ wait: Int64, _ chance: Double) -> Int64 {
    wait - Int64(Double(wait) * jitter * chance)
  }
}

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
