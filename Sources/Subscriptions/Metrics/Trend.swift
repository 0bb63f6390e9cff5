/// How a panel's figures moved: along the window, in equal stretches of it, and against the window before.
///
/// A figure of a state is known at the end of each stretch and at the window's start, a figure of what happened for each
/// stretch and for the whole window before. Both are by all that is known today; what was lost in the window before is judged
/// at its end, as the question's own is at its. States of the past are judged from rows alone, as METRICS §4 does for the churn
/// rate, so that active lines and their revenue stand here without those in grace. Grace, billing retry and what was lost need
/// renewal infos: they are unknown where a line had expired less than 60 days before and its chain was not observed yet.
/// Where no line had begun by the window's start, there is nothing to compare with.
public struct Trend: Hashable, Sendable, Encodable {
  /// One figure, or its amount in one currency.
  public struct Series: Hashable, Sendable, Encodable {
    /// Its path in the panel's JSON.
    public var figure: String
    /// Of an amount, which is in micros.
    @ExplicitNull public var currency: CurrencyCode?
    /// At the window's start, or in the window before; nil is unknown.
    @ExplicitNull public var before: Int64?
    /// From the oldest stretch to the newest; nil is unknown.
    public var values: [Int64?]

    public init(figure: String, currency: CurrencyCode? = nil, before: Int64?, values: [Int64?]) {
      self.figure = figure
      self.values = values
      self.currency = currency
      self.before = before
    }
  }

  /// Into how many stretches a window is cut: days, where it has four weeks.
  public static let stretches = 28

  /// Sorted by figure and currency. What counts nothing anywhere has none.
  public private(set) var series: [Series] = []

  public init() {}

  public func series(_ figure: String, _ currency: CurrencyCode? = nil) -> Series? {
    series.first { $0.figure == figure && $0.currency == currency }
  }

  /// - Parameter place: the stretch; nil for what was before.
  public mutating func add(
    _ value: Int64, to figure: String, _ currency: CurrencyCode? = nil, at place: Int?
  ) {
    let index = index(of: figure, currency)
    guard let place else {
      series[index].before = clampedSum(series[index].before ?? 0, value)
      return
    }
    series[index].values[place] = clampedSum(series[index].values[place] ?? 0, value)
  }

  /// Says that nobody knows what a figure was.
  public mutating func forget(_ figure: String, at place: Int?) {
    let index = index(of: figure, nil)
    if let place { series[index].values[place] = nil } else { series[index].before = nil }
  }

  private mutating func index(of figure: String, _ currency: CurrencyCode?) -> Int {
    let place = series.firstIndex {
      ($0.figure, $0.currency?.rawValue ?? "") >= (figure, currency?.rawValue ?? "")
    }
    if let place, series[place].figure == figure, series[place].currency == currency { return place }
    let new = Series(
      figure: figure, currency: currency, before: 0, values: Array(repeating: 0, count: Self.stretches))
    series.insert(new, at: place ?? series.count)
    return place ?? series.count - 1
  }
}

private func clampedSum(_ left: Int64, _ right: Int64) -> Int64 {
  Int64(clamping: Int128(left) + Int128(right))
}

extension Window {
  /// The end of each stretch of a trend.
  public var stretchEnds: [Instant] {
    (1...Trend.stretches).map { number in
      // Rounded up, as the last instant that `stretch(of:)` counts in.
      let part = Int128(to - from) * Int128(number) + Int128(Trend.stretches - 1)
      return from + Int64(part / Int128(Trend.stretches))
    }
  }

  /// The stretch that holds an instant of the window.
  public func stretch(of instant: Instant) -> Int {
    Int(Int128(instant - from - 1) * Int128(Trend.stretches) / Int128(to - from))
  }

  /// The one of the same length that ends where this begins.
  public var before: Window { Window(days: days, upTo: from) }
}

extension Question {
  /// The same of the window before, asked at its end.
  public var before: Question {
    var question = self
    question.at = window.from
    return question
  }
}

extension Panel {
  /// The figures of a state, as the panel names them.
  public struct StateFigures: Sendable {
    public var paid: String?
    public var trial: String?
    public var mrr: String?
    public var grace: String?
    public var billingRetry: String?
  }

  /// Those that a trend follows; nil where the panel has none.
  public var stateFigures: StateFigures? {
    switch self {
    case .overview:
      StateFigures(
        paid: "active_paid", trial: "trial", mrr: "mrr", grace: "grace", billingRetry: "billing_retry")
    case .active: StateFigures(paid: "paid", trial: "trial", mrr: "mrr", grace: "grace")
    case .billingRetry: StateFigures(grace: "grace.lines", billingRetry: "lines")
    case .churn, .refunds, .upgrades, .events: nil
    }
  }

  /// The name under which a trend follows the number of events, which are no figure's rows.
  public static let eventCount = "count"

  /// Whether a figure is the sum of its rows' amounts in a trend, instead of their number.
  public func isAmount(_ figure: String) -> Bool {
    switch self {
    case .overview: ["mrr", "refund_amount", "prorated_refund", "sales.amount"].contains(figure)
    case .active: figure == "mrr"
    case .refunds: figure == "amount"
    case .upgrades: figure == "prorated_refund"
    case .billingRetry, .churn, .events: false
    }
  }

  /// Whether a figure is of what happened in the window, not of a state now or at its start.
  func happens(_ figure: String) -> Bool {
    switch self {
    case .overview:
      ![
        "active_paid", "trial", "grace", "overdue", "mrr", "billing_retry", "churn_rate", "renewing",
        "auto_renew_off", "auto_renew_unknown",
      ].contains(figure) && !figure.hasPrefix("due.") && !figure.hasPrefix("at_risk_mrr.")
    case .active, .billingRetry: false
    case .churn: !["active_paid_at_start", "churn_rate"].contains(figure)
    case .upgrades: figure != "pending"
    case .refunds, .events: true
    }
  }
}

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
      case .overdue, .revoked, .expired: nil
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
    guard !hasStart else { return }
    for index in series.indices { series[index].before = nil }
  }
}

extension Panel {
  /// Whether a figure of what happened is judged by renewal infos.
  fileprivate func needsRenewalInfo(_ figure: String) -> Bool {
    guard self == .overview || self == .churn else { return false }
    return [
      "lost_paid", "lost_trial", "voluntary", "involuntary", "arrivals.recovery", "arrivals.unattributed",
    ].contains(figure)
      || ["by_intent.", "refunded."].contains { figure.hasPrefix($0) }
      || (figure.hasPrefix("renewals.") && (figure.hasSuffix(".pending") || figure.hasSuffix(".lost")))
  }
}
