/// A figure, declared: what it counts. Its value, its place in the JSON, the changes behind it and its words follow from this.
///
/// Conditions see a line that is out of a question's scope, for its product, as one that is not there.
public struct FigureDefinition: Sendable {
  /// Key in the JSON.
  public let name: String
  /// For people.
  public let label: String
  public let value: Measure

  public enum Measure: Sendable {
    /// A balance at the start or the end of the window.
    case balance(WindowEnd, @Sendable (PositionClass) -> Bool)
    /// Lines that changed in the window.
    case flow(@Sendable (ScopedChange) -> Bool)
    /// What the changes of the window did to the monthly revenue of paid lines: taken off in the currency that they had before,
    /// added in the one that they have afterwards.
    case revenue(lost: @Sendable (ScopedChange) -> Bool, gained: @Sendable (ScopedChange) -> Bool)
    /// What changes of the window did to that revenue in the reporting currency alone, of which they are no flow: METRICS §4.
    case conversion(@Sendable (ScopedChange) -> Bool)
  }

  public enum WindowEnd: Hashable, Sendable { case start, end }

  /// Whether only snapshots can tell it of a past instant: METRICS §4, courses.
  public let needsSnapshots: Bool
  /// Whether it is taken off the balance at the window's start to come to that at its end.
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
  /// Whether there is nothing of it but in the reporting currency, and no row is behind it.
  public var isOfConversion: Bool { if case .conversion = value { true } else { false } }
}

/// What a figure takes of lines in a position, or of a change of lines.
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

/// What of a change's sum a figure of revenue takes, in the currency of the position that the line leaves or comes to.
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
  /// Whether a line is counted that stands there at an end of the window.
  func counts(_ position: PositionClass, at end: FigureDefinition.WindowEnd) -> Bool {
    guard case .balance(end, let isCounted) = self else { return false }
    return isCounted(position)
  }

  /// Whether a line is counted that changed so.
  func counts(_ change: ScopedChange) -> Bool {
    switch self {
    case .flow(let isCounted): isCounted(change)
    case .revenue(let lost, let gained): lost(change) || gained(change)
    case .balance, .conversion: false
    }
  }

  /// What a figure of revenue takes; nothing of a position that has no price.
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

/// A change as far as it is within what a question asks about.
public struct ScopedChange: Sendable {
  public let old: PositionClass?
  public let new: PositionClass?
  public let flow: Flow?
  /// Why the line is out afterwards, whatever of it is asked about.
  let reason: LossReason?

  /// Nil where none of it is.
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

  /// Whether the line stays in its set of positions, but goes from what is asked about to what is not, or the other way.
  var isSwitch: Bool { (flow?.isWithinPaid ?? true) && (old == nil || new == nil) }
  /// Whether a line that stays in Paid, at its price, took the exchange rate of another day, as a renewal does: METRICS §4.
  var takesExchangeRate: Bool { flow == nil && old?.set == .paid && new?.set == .paid }
  func enters(_ set: PositionSet) -> Bool { new?.set == set && old?.set != set }
  func leaves(_ set: PositionSet) -> Bool { old?.set == set && new?.set != set }
}

/// Figures that belong together, under one key of a report's `data`.
public struct FigureGroup: Hashable, Sendable {
  public enum Split: Hashable, Sendable {
    /// An object of numbers of lines.
    case none
    /// A list with an object for each currency, of amounts in micros.
    case byCurrency
  }

  /// Key in the JSON.
  public let name: String
  /// For people.
  public let label: String
  public let split: Split
  public let figures: [FigureDefinition]

  init(_ name: String, _ label: String, _ split: Split, _ figures: [FigureDefinition]) {
    self.name = name
    self.label = label
    self.split = split
    self.figures = figures
  }

  /// The figure's path in the panel's JSON.
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

/// Definitions with the same names are the same.
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
