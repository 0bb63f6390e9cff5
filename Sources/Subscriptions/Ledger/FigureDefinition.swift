/// A figure, declared: what it counts. Its value, its place in the JSON, the changes behind it and its words follow from this.
///
/// Conditions see a line that is out of a question's scope, for its product, as one that is not there.
public struct FigureDefinition: Sendable {
  /// Key in the JSON.
  public let name: String
  /// For people.
  public let label: String
  public let value: Value

  public enum Value: Sendable {
    /// A balance at the start or the end of the window.
    case balance(WindowEnd, @Sendable (PositionClass) -> Bool)
    /// Lines that changed in the window, each counted so many times.
    case flow(@Sendable (ScopedChange) -> Int64)
    /// What the changes of the window did to the monthly revenue of paid lines: taken off in the currency that they had before,
    /// added in the one that they have afterwards.
    case revenue(lost: @Sendable (ScopedChange) -> Bool, gained: @Sendable (ScopedChange) -> Bool)
  }

  public enum WindowEnd: Hashable, Sendable { case start, end }

  /// Whether only snapshots can tell it of a past instant: METRICS §4, courses.
  public let needsSnapshots: Bool
  /// Whether it is taken off the balance at the window's start to come to that at its end.
  public let isTakenOff: Bool

  init(
    _ name: String, _ label: String, _ value: Value, needsSnapshots: Bool = false, isTakenOff: Bool = false
  ) {
    self.name = name
    self.label = label
    self.value = value
    self.needsSnapshots = needsSnapshots
    self.isTakenOff = isTakenOff
  }

  var isBalance: Bool { if case .balance = value { true } else { false } }
  var isOfStart: Bool { if case .balance(.start, _) = value { true } else { false } }
}

/// A change as far as it is within what a question asks about.
public struct ScopedChange: Sendable {
  public let old: PositionClass?
  public let new: PositionClass?
  public let flow: Flow?
  /// Why the line is out afterwards, whatever of it is asked about.
  let reason: LossReason?
  /// Whether it is asked what the change did in the reporting currency, which a renewal moves as well: METRICS §4.
  var isConverted = false

  /// Nil where none of it is.
  public init?(_ change: ChangeClass, in question: Question) {
    old = change.old.flatMap { question.includes($0) ? $0 : nil }
    new = question.includes(change.new) ? change.new : nil
    flow = change.flow
    reason = change.new.reason
    guard old != nil || new != nil else { return nil }
  }

  /// Whether the line stays in its set of positions, whatever of it is asked about.
  var isWithinASet: Bool { flow?.isWithinPaid ?? true }
  /// Not where both sides are asked about and METRICS §5 has no name for what changed: a switch of auto-renew.
  var movesRevenue: Bool { isConverted || flow != nil || old == nil || new == nil }
  func enters(_ set: PositionSet) -> Bool { new?.set == set && old?.set != set }
  func leaves(_ set: PositionSet) -> Bool { old?.set == set && new?.set != set }
}

/// Figures that belong together, under one key of a report's `data`.
public struct FigureGroup: Sendable {
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
}

extension Question {
  public func includes(_ position: PositionClass) -> Bool {
    environment.contains(position.environment) && includes(position.product, position.storefront)
  }
}
