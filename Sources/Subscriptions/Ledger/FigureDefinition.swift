/// Figure of the movement panel, counted by the rules in `Movement`.
public struct FigureDefinition: Hashable, Sendable {
  public let name: String
  public let label: String
  /// Whether the figure is subtracted from the opening balance to obtain the closing balance.
  public var isTakenOff = false
  /// Whether values at past instants are unknown without snapshots (METRICS §4).
  var needsSnapshots = false
  /// Whether the figure exists only in the reporting currency, and so has no rows behind it.
  public var isOfConversion = false

  public enum WindowEnd: String, Hashable, Sendable, CaseIterable { case start, end }

  public var isBalance: Bool { WindowEnd(rawValue: name) != nil }
  var isOfStart: Bool { name == WindowEnd.start.rawValue }
}

/// Figures under one key of a report's `data`.
public struct FigureGroup: Hashable, Sendable {
  /// Form of the group in the JSON.
  public enum Split: Hashable, Sendable {
    /// Object with numbers of lines.
    case none
    /// List with an object of amounts in micros for each currency.
    case byCurrency
  }

  public let name: String
  public let label: String
  public let split: Split
  public let figures: [FigureDefinition]

  func path(of figure: FigureDefinition) -> String { "\(name).\(figure.name)" }
}

/// Contribution of a class of positions or changes to a figure.
struct LineTerm {
  var path: String
  /// Currency of the amount; `nil` if only lines are counted.
  var currency: CurrencyCode?
  /// Which monthly price of a change counts: the old one, subtracted, or the new one, added.
  ///
  /// `nil` for balances, and for terms that count only lines.
  var price: Price?
  /// Whether the term contributes only to the amount in the reporting currency.
  var isOfConversion = false

  enum Price { case before, after }

  func sum(of balance: RowSum) -> RowSum { currency == nil ? RowSum(rows: balance.rows) : balance }

  func sum(of change: ChangeSum) -> RowSum {
    var sum: RowSum
    switch price {
    case nil: return RowSum(rows: change.lines)
    case .before?:
      sum = RowSum(
        micros: 0 - change.monthlyBefore, converted: Converted(micros: 0 - change.convertedBefore.micros))
    case .after?: sum = RowSum(micros: change.monthlyAfter, converted: change.convertedAfter)
    }
    if isOfConversion { sum.micros = 0 }
    return sum
  }
}

/// Change as a question sees it: a position that the question excludes is `nil`.
struct ScopedChange {
  let old: PositionClass?
  let new: PositionClass?
  let flow: Flow?
  /// Reason of the new state if it is `expired` or `revoked`, even if the question excludes the new position.
  let reason: LossReason?

  init(_ change: ChangeClass, hasOld: Bool = true, hasNew: Bool = true) {
    (old, new) = (hasOld ? change.old : nil, hasNew ? change.new : nil)
    (flow, reason) = (change.flow, change.new.reason)
  }

  /// Creates the change as a question sees it; `nil` if the question includes neither position.
  init?(_ change: ChangeClass, in question: Question) {
    self.init(
      change, hasOld: change.old.map(question.includes) ?? false, hasNew: question.includes(change.new))
    guard old != nil || new != nil else { return nil }
  }

  /// Whether the line enters or leaves the question's products or part, or begins, with no flow between sets.
  var isSwitch: Bool { (flow?.isWithinPaid ?? true) && (old == nil || new == nil) }
  func enters(_ set: PositionSet) -> Bool { new?.set == set && old?.set != set }
  func leaves(_ set: PositionSet) -> Bool { old?.set == set && new?.set != set }
}

extension Question {
  public func includes(_ position: PositionClass) -> Bool {
    environment.contains(position.environment) && includes(position.product, position.storefront)
      && (part?.includes(position) ?? true)
  }
}
