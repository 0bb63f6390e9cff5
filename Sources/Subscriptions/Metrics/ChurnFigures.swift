/// METRICS §4: lines that ended in the window, by why they ended, and the periods that came due in it.
public struct ChurnFigures: Hashable, Sendable, Encodable {
  public struct ByIntent: Hashable, Sendable, Encodable {
    /// Apple's `expiration_intent`; nil is unknown.
    @ExplicitNull public var intent: String?
    public var name: String
    public var paid = 0
    public var trial = 0

    public init(_ intent: ExpirationIntent?) {
      self.intent = intent?.rawValue
      name = intent?.name ?? "unknown"
    }
  }

  public struct Split: Hashable, Sendable, Encodable {
    public var paid = 0
    public var trial = 0
    public init() {}

    public mutating func count(paid isPaid: Bool, by n: Int = 1) {
      if isPaid { paid += n } else { trial += n }
    }
  }

  public struct Renewals: Hashable, Sendable, Encodable {
    /// The catalogue's standard period of the product; nil where the product is not in it.
    @ExplicitNull public var period: Period?
    public var due = 0
    public var renewed = 0
    public var pending = 0
    public var lost = 0
    public init(period: Period?) { self.period = period }
  }

  public struct Trials: Hashable, Sendable, Encodable {
    public var ended = 0
    public var converted = 0
    public var convertedLate = 0
    public init() {}
  }

  /// Intents 1 to 5 in order, then values that Apple has not documented, then unknown.
  public var byIntent: [ByIntent] = []
  public var refunded = Split()
  public var lostPaid = 0
  public var lostTrial = 0
  /// Paid lines with intent 1.
  public var voluntary = 0
  /// Paid lines with intent 2.
  public var involuntary = 0
  public var activePaidAtStart = 0
  /// Lost paid lines that were active paid at the start / active paid at the start; nil where that is none.
  @ExplicitNull public var churnRate: Double?
  /// Shortest period first, unknown last.
  public var renewals: [Renewals] = []
  public var trials = Trials()

  /// How the rows bought in the window came about.
  public struct Arrivals: Hashable, Sendable, Encodable {
    public var initial = 0
    public var renewal = 0
    public var recovery = 0
    public var unattributed = 0
    public var reactivation = 0
    public init() {}

    public mutating func count(_ arrival: Arrival, by n: Int = 1) {
      switch arrival {
      case .initial: initial += n
      case .renewal: renewal += n
      case .recovery: recovery += n
      case .unattributed: unattributed += n
      case .reactivation: reactivation += n
      }
    }
  }

  public var arrivals = Arrivals()

  public init() {}
}

extension ChurnFigures {
  /// Adds lines that ended in the window.
  ///
  /// - Parameter intent: nil is unknown.
  public mutating func countExpired(_ intent: ExpirationIntent?, paid: Bool, by n: Int = 1) {
    if byIntent.isEmpty {
      byIntent = ["1", "2", "3", "4", "5"].map { ByIntent(ExpirationIntent($0)) } + [ByIntent(nil)]
    }
    let place = byIntent.firstIndex { $0.intent == intent?.rawValue }
    let index = place ?? byIntent.count - 1
    if place == nil { byIntent.insert(ByIntent(intent), at: index) }
    if paid { byIntent[index].paid += n } else { byIntent[index].trial += n }
    countLost(paid: paid, by: n)
    guard paid else { return }
    if intent == .customerCancelled { voluntary += n }
    if intent == .billingError { involuntary += n }
  }

  public mutating func countRefunded(paid: Bool, by n: Int = 1) {
    refunded.count(paid: paid, by: n)
    countLost(paid: paid, by: n)
  }

  private mutating func countLost(paid: Bool, by n: Int) {
    if paid { lostPaid += n } else { lostTrial += n }
  }

  /// Fixes the rate, and the order of what was counted in any order.
  public mutating func finish(lostOfStart: Int) {
    countExpired(nil, paid: true, by: 0)
    let documented = byIntent.prefix(5)
    let others = byIntent.dropFirst(5).filter { $0.intent != nil }.sorted {
      ($0.intent ?? "") < ($1.intent ?? "")
    }
    byIntent = documented + others + byIntent.filter { $0.intent == nil }
    churnRate = activePaidAtStart == 0 ? nil : Double(lostOfStart) / Double(activePaidAtStart)
    renewals.sort { left, right in
      guard let a = left.period else { return false }
      return right.period.map { a < $0 } ?? true
    }
  }
}

extension ChurnFigures {
  init(_ judged: [JudgedLine], _ question: Question, catalog: Catalog) {
    self.init()
    let window = question.window
    var lostOfStart = 0
    var periods: [Period?: Renewals] = [:]
    for judged in judged {
      let startedActive = judged.line.wasActivePaid(at: window.from) { question.includes($0) }
      if startedActive { activePaidAtStart += 1 }
      for row in judged.line.rows where question.includes(row.productID) {
        if window.contains(row.purchase) { arrivals.count(row.arrival) }
        countPeriod(row, of: judged, in: window, catalog: catalog, periods: &periods)
      }
      guard question.includes(judged.verdict.countedRow.productID), judged.isLost(in: window) else {
        continue
      }
      let isPaid = judged.verdict.countedRow.kind.isPaid
      if judged.state == .revoked {
        countRefunded(paid: isPaid)
      } else {
        countExpired(judged.verdict.expirationIntent, paid: isPaid)
      }
      if startedActive && isPaid { lostOfStart += 1 }
    }
    renewals = Array(periods.values)
    finish(lostOfStart: lostOfStart)
  }

  private mutating func countPeriod(
    _ row: Row, of judged: JudgedLine, in window: Window, catalog: Catalog, periods: inout [Period?: Renewals]
  ) {
    switch row.outcome {
    case .renewed?, .unrenewed?:
      guard window.contains(row.expires) else { return }
      let period = catalog.period(of: row.productID)
      var renewals = periods[period] ?? Renewals(period: period)
      renewals.due += 1
      if row.outcome == .renewed {
        renewals.renewed += 1
      } else if row.id == judged.verdict.current.id, [.grace, .billingRetry, .overdue].contains(judged.state)
      {
        renewals.pending += 1
      } else {
        renewals.lost += 1
      }
      periods[period] = renewals
    case .converted?, .convertedLate?, .unconverted?:
      guard window.contains(row.effectiveEnd) else { return }
      trials.ended += 1
      if row.outcome == .converted { trials.converted += 1 }
      if row.outcome == .convertedLate { trials.convertedLate += 1 }
    case nil: break
    }
  }
}

extension JudgedLine {
  func isLost(in window: Window) -> Bool {
    (state == .expired || state == .revoked) && window.contains(verdict.accessUntil)
  }
}

extension Line {
  /// METRICS §4, Churn rate: judged from rows alone, because renewal info of that day may never have been seen.
  func wasActivePaid(at t: Instant, product includes: (ProductID) -> Bool) -> Bool {
    guard let phase = phase(at: t) else { return false }
    return phase.isLive && t < phase.current.expires && phase.current.kind.isPaid
      && includes(phase.current.productID)
  }
}
