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

    /// - Parameter isPending: whether it may yet be paid for.
    public mutating func count(_ outcome: PeriodOutcome?, isPending: Bool, by n: Int = 1) {
      due += n
      switch outcome {
      case .renewed?: renewed += n
      case .recovered?: recovered += n
      default: if isPending { pending += n } else { lost += n }
      }
    }
  }

  public struct Trials: Hashable, Sendable, Encodable {
    public var ended = 0
    public var converted = 0
    public var convertedLate = 0
    public init() {}

    public mutating func count(_ outcome: PeriodOutcome?, by n: Int = 1) {
      ended += n
      if outcome == .converted { converted += n }
      if outcome == .convertedLate { convertedLate += n }
    }
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
  /// What was lost, without what came due and what was bought.
  ///
  /// - Parameter sums: those of the question's window.
  public init(_ sums: LedgerSums, _ question: Question) {
    self.init()
    let counts = PanelCounts(.churn, sums, question)
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
    churnRate = baseAtStart == 0 ? nil : Double(counts["churn_rate"].lines) / Double(baseAtStart)
  }

  /// - Parameter periods: in any order.
  public mutating func set(renewals periods: some Sequence<Renewals>) {
    renewals = periods.sorted { left, right in
      guard let a = left.period else { return false }
      return right.period.map { a < $0 } ?? true
    }
  }

  mutating func add(periodsAndPurchasesOf judged: [JudgedLine], _ question: Question, catalog: Catalog) {
    var periods: [Period?: Renewals] = [:]
    for judged in judged {
      for row in judged.line.rows where question.includes(row.productID) {
        if question.window.contains(row.purchase) { arrivals.count(row.arrival) }
        count(row, of: judged, question, catalog: catalog, periods: &periods)
      }
    }
    set(renewals: periods.values)
  }

  private mutating func count(
    _ row: Row, of judged: JudgedLine, _ question: Question, catalog: Catalog,
    periods: inout [Period?: Renewals]
  ) {
    switch row.outcome {
    case .renewed?, .recovered?, .unrenewed?:
      guard question.window.contains(row.expires) else { return }
      let period = row.period(catalog)
      periods[period, default: Renewals(period: period)].count(
        row.outcome, isPending: judged.mayYetPay(for: row))
    case .converted?, .convertedLate?, .unconverted?:
      guard question.window.contains(row.effectiveEnd) else { return }
      trials.count(row.outcome)
    case nil: break
    }
  }
}

extension PanelCounts {
  /// What Apple said of why lines were lost.
  fileprivate var intents: Set<String> {
    let lost = counts.filter { $0.value.lines != 0 }.keys.compactMap(PanelCounting.intent(ofPath:))
    return Set(lost.map(\.rawValue))
  }
}

extension JudgedLine {
  /// METRICS §5, Renewals, Pending.
  func mayYetPay(for row: Row) -> Bool { row.id == verdict.current.id && state.mayYetPay }
}

extension LineState {
  /// Whether a period that is over may yet be paid for.
  public var mayYetPay: Bool { self == .grace || self == .billingRetry || self == .overdue }
}

extension Row {
  /// METRICS §4, Period of a row; nil is unknown.
  public func period(_ catalog: Catalog) -> Period? { price?.period ?? catalog.period(of: productID) }
}
