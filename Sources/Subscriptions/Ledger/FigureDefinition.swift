/// Declaration of a figure: its name, its label and the positions or changes that it counts. Its value, its
/// place in the JSON and the rows behind it are derived from this.
///
/// Conditions treat a line whose product is out of the question's scope as absent.
public struct FigureDefinition: Sendable {
  public let name: String
  public let label: String
  public let value: Measure

  /// Positions or changes that the figure counts, and how.
  public enum Measure: Sendable {
    /// A balance at the start or the end of the window.
    case balance(WindowEnd, @Sendable (PositionClass) -> Bool)
    /// Number of lines that changed in the window.
    case flow(@Sendable (ScopedChange) -> Bool)
    /// Effect of the window's changes on the monthly revenue of paid lines: subtracted in the old currency,
    /// added in the new one.
    case revenue(lost: @Sendable (ScopedChange) -> Bool, gained: @Sendable (ScopedChange) -> Bool)
    /// Effect on that revenue in the reporting currency only, for changes that are no flow in their own
    /// currency (METRICS §4).
    case conversion(@Sendable (ScopedChange) -> Bool)
  }

  public enum WindowEnd: Hashable, Sendable { case start, end }

  /// Whether the figure is unknown for a past instant without snapshots (METRICS §4, courses).
  public let needsSnapshots: Bool
  /// Whether the figure is subtracted from the balance at the window's start to get the one at its end.
  public let isTakenOff: Bool

  init(
    _ name: String, _ label: String, _ value: Measure, needsSnapshots: Bool = false, isTakenOff: Bool = false
  ) {
    self.name = name
    self.label = label
    self.value = value
    self.needsSnapshots = needsSnapshots
    self.isTakenOff = isTakenOff
  }

  public var isBalance: Bool { if case .balance = value { true } else { false } }
  var isOfStart: Bool { if case .balance(.start, _) = value { true } else { false } }
  /// Whether the figure exists only in the reporting currency. No row is behind it.
  public var isOfConversion: Bool { if case .conversion = value { true } else { false } }
}

/// Contribution of lines in a position, or of changes, to a figure.
struct LineTerm: Sendable {
  enum Measure: Hashable, Sendable {
    case lines
    /// Lines, and the monthly revenue of their position.
    case balance
    case revenue(RevenueTerm.Amount)
  }

  var path: String
  var currency: CurrencyCode?
  var value: Measure
}

/// Part of a change's sum that a figure of revenue uses, in the currency of the old or new position.
struct RevenueTerm {
  enum Amount { case before, after, convertedBefore, convertedAfter }

  var currency: CurrencyCode
  var amount: Amount

}

extension RevenueTerm.Amount {
  var isConverted: Bool { self == .convertedBefore || self == .convertedAfter }
}

extension ChangeSum {
  /// Signed: the amount before is subtracted.
  subscript(amount: RevenueTerm.Amount) -> Int128 {
    switch amount {
    case .before: 0 - monthlyBefore
    case .after: monthlyAfter
    case .convertedBefore: 0 - convertedBefore.micros
    case .convertedAfter: convertedAfter.micros
    }
  }
}

extension FigureDefinition.Measure {
  /// Whether a line in a position at an end of the window is counted.
  func counts(_ position: PositionClass, at end: FigureDefinition.WindowEnd) -> Bool {
    guard case .balance(end, let isCounted) = self else { return false }
    return isCounted(position)
  }

  /// Whether a line with this change is counted.
  func counts(_ change: ScopedChange) -> Bool {
    switch self {
    case .flow(let isCounted): isCounted(change)
    case .revenue(let lost, let gained): lost(change) || gained(change)
    case .balance, .conversion: false
    }
  }

  /// Terms of a figure of revenue. A position without a price has none.
  func terms(_ change: ScopedChange) -> [RevenueTerm] {
    switch self {
    case .balance, .flow: return []
    case .revenue(let lost, let gained):
      return Self.terms(lost(change) ? change.old : nil, [.before, .convertedBefore])
        + Self.terms(gained(change) ? change.new : nil, [.after, .convertedAfter])
    case .conversion(let isCounted):
      guard isCounted(change) else { return [] }
      return Self.terms(change.old, [.convertedBefore]) + Self.terms(change.new, [.convertedAfter])
    }
  }

  private static func terms(_ position: PositionClass?, _ amounts: [RevenueTerm.Amount]) -> [RevenueTerm] {
    guard let currency = position?.currency else { return [] }
    return amounts.map { RevenueTerm(currency: currency, amount: $0) }
  }
}

/// Change as seen by a question that includes only some products, storefronts or parts.
public struct ScopedChange: Sendable {
  public let old: PositionClass?
  public let new: PositionClass?
  public let flow: Flow?
  /// Reason that the line is out afterwards, even if the question excludes its position.
  let reason: LossReason?

  /// Returns `nil` if the question includes neither position.
  public init?(_ change: ChangeClass, in question: Question) {
    old = change.old.flatMap { question.includes($0) ? $0 : nil }
    new = question.includes(change.new) ? change.new : nil
    flow = change.flow
    reason = change.new.reason
    guard old != nil || new != nil else { return nil }
  }

  init(old: PositionClass?, new: PositionClass?, flow: Flow?, reason: LossReason?) {
    (self.old, self.new, self.flow, self.reason) = (old, new, flow, reason)
  }

  /// Whether the line stays in its set of positions, but moves between included and excluded products or
  /// parts.
  var isSwitch: Bool { (flow?.isWithinPaid ?? true) && (old == nil || new == nil) }
  /// Whether a line stays in Paid at its price but gets the exchange rate of another day, for example by
  /// renewing (METRICS §4).
  var takesExchangeRate: Bool { flow == nil && old?.set == .paid && new?.set == .paid }
  func enters(_ set: PositionSet) -> Bool { new?.set == set && old?.set != set }
  func leaves(_ set: PositionSet) -> Bool { old?.set == set && new?.set != set }
}

/// Figures under one key of a report's `data`.
public struct FigureGroup: Hashable, Sendable {
  /// Form of the group in the JSON.
  public enum Split: Hashable, Sendable {
    /// An object of numbers of lines.
    case none
    /// A list with an object for each currency, of amounts in micros.
    case byCurrency
  }

  public let name: String
  public let label: String
  public let split: Split
  public let figures: [FigureDefinition]

  init(_ name: String, _ label: String, _ split: Split, _ figures: [FigureDefinition]) {
    self.name = name
    self.label = label
    self.split = split
    self.figures = figures
  }

  func path(of figure: FigureDefinition) -> String { "\(name).\(figure.name)" }

  func terms(_ position: PositionClass, at end: FigureDefinition.WindowEnd) -> [LineTerm] {
    guard split == .none || position.currency != nil else { return [] }
    return figures.filter { $0.value.counts(position, at: end) }.map {
      LineTerm(
        path: path(of: $0), currency: split == .none ? nil : position.currency,
        value: split == .none ? .lines : .balance)
    }
  }

  func terms(_ change: ScopedChange) -> [LineTerm] {
    figures.flatMap { figure -> [LineTerm] in
      let path = path(of: figure)
      guard split == .byCurrency else {
        return figure.value.counts(change) ? [LineTerm(path: path, currency: nil, value: .lines)] : []
      }
      return figure.value.terms(change).map {
        LineTerm(path: path, currency: $0.currency, value: .revenue($0.amount))
      }
    }
  }
}

/// Definitions with the same names are equal.
extension FigureDefinition: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    (left.name, left.label) == (right.name, right.label)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Question {
  public func includes(_ position: PositionClass) -> Bool {
    environment.contains(position.environment) && includes(position.product, position.storefront)
      && (part?.includes(position) ?? true)
  }
}
