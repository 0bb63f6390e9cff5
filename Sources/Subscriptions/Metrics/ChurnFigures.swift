/// METRICS §5: lines that ended in the window, by why they ended, and the periods that came due in it.
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
  }

  public struct Renewals: Hashable, Sendable, Encodable {
    /// METRICS §4, Period of a row; nil is unknown.
    @ExplicitNull public var period: Period?
    public var due = 0
    public var renewed = 0
    /// Not renewed in time, but paid for after all.
    public var recovered = 0
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
  /// Lines in Paid or, not of a trial's row, Retry at the window's start.
  public var baseAtStart = 0
  /// Lost paid lines / those at the start; nil where these are none.
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
  }

  public var arrivals = Arrivals()

  public init() {}
}

extension ChurnFigures {
  init(_ course: LedgerCourse, _ facts: FactCounts, _ question: Question) {
    self.init(course, question)
    renewals = facts.periods.map { Renewals(facts, of: $0) }.sorted(by: Renewals.inOrder)
    (trials, arrivals) = (Trials(facts), Arrivals(facts))
  }

  /// What was lost, without what came due and what was bought.
  ///
  /// - Parameter course: that of the question's window.
  public init(_ course: LedgerCourse, _ question: Question) {
    self.init()
    let counts = PanelCounts(.churn, course.sums, question)
    func split(_ path: String) -> Split {
      var split = Split()
      split.paid = counts["\(path).paid"].lines
      split.trial = counts["\(path).trial"].lines
      return split
    }
    let documented = ["1", "2", "3", "4", "5"]
    let others = counts.intents.subtracting(documented).sorted()
    byIntent = ((documented + others).map(ExpirationIntent.init) + [nil]).map { intent in
      let split = split(PanelCounting.path(ofIntent: intent))
      var row = ByIntent(intent)
      (row.paid, row.trial) = (split.paid, split.trial)
      return row
    }
    refunded = split("refunded")
    (lostPaid, lostTrial) = (counts["lost_paid"].lines, counts["lost_trial"].lines)
    (voluntary, involuntary) = (counts["voluntary"].lines, counts["involuntary"].lines)
    baseAtStart = counts["base_at_start"].lines
    churnRate = Self.rate(counts)
  }

  /// Nil where nobody was there to be lost.
  static func rate(_ sums: ScopedSums, _ question: Question) -> Double? {
    rate(PanelCounts(.churn, sums, question))
  }

  private static func rate(_ counts: PanelCounts) -> Double? {
    let base = counts["base_at_start"].lines
    return base == 0 ? nil : Double(counts["churn_rate"].lines) / Double(base)
  }
}

extension ChurnFigures.Renewals {
  init(_ facts: FactCounts, of period: Period?) {
    self.init(period: period)
    let path = PanelCounting.path(ofPeriod: period)
    func rows(_ result: PeriodResult) -> Int { facts["\(path).\(result.rawValue)"] }
    due = facts["\(path).due"]
    (renewed, recovered) = (rows(.renewed), rows(.recovered))
    (pending, lost) = (rows(.pending), rows(.lost))
  }

  /// The shortest first, unknown last.
  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    guard let a = left.period else { return false }
    return right.period.map { a < $0 } ?? true
  }
}

extension ChurnFigures.Trials {
  init(_ facts: FactCounts) {
    ended = facts["trials.ended"]
    converted = facts["trials.converted"]
    convertedLate = facts["trials.converted_late"]
  }
}

extension ChurnFigures.Arrivals {
  init(_ facts: FactCounts) {
    func rows(_ arrival: Arrival) -> Int { facts["arrivals.\(arrival.rawValue)"] }
    (initial, renewal, recovery) = (rows(.initial), rows(.renewal), rows(.recovery))
    (unattributed, reactivation) = (rows(.unattributed), rows(.reactivation))
  }
}

extension PanelCounts {
  /// What Apple said of why lines were lost.
  fileprivate var intents: Set<String> {
    let lost = counts.filter { $0.value.lines != 0 }.keys.compactMap(PanelCounting.intent(ofPath:))
    return Set(lost.map(\.rawValue))
  }
}
