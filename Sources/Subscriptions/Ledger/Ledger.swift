/// All changes of lines: what declared figures are made from, wherever it is kept.
public protocol Ledger {
  associatedtype Failure: Error

  /// The changes in (start, end], added up by class.
  ///
  /// - Parameter start: nil is the beginning of time.
  func changes(after start: Instant?, through end: Instant) throws(Failure) -> [ChangeClass: Turnover]
}

/// Changes in memory: what every other ledger is held against.
public struct MemoryLedger: Ledger {
  private let changes: [Change]

  public init(_ changes: [Change]) { self.changes = changes }

  public func changes(after start: Instant?, through end: Instant) -> [ChangeClass: Turnover] {
    var sums: [ChangeClass: Turnover] = [:]
    for change in changes where change.at <= end && start.map({ change.at > $0 }) ?? true {
      sums[change.kind, default: Turnover()] += change.turnover
    }
    return sums
  }
}

extension Ledger {
  public func sums(of window: Window) throws(Failure) -> LedgerSums {
    LedgerSums(
      earlier: try changes(after: nil, through: window.from),
      changes: try changes(after: window.from, through: window.to))
  }

  /// A window in its stretches, with the one before: what its figures and their course are made from, each part read once.
  public func course(of window: Window) throws(Failure) -> LedgerCourse {
    let earlier = Window(days: window.days, upTo: window.from)
    let start = LedgerSums(earlier: try changes(after: nil, through: window.trendStart), changes: [:])
    let atFrom = LedgerSums(
      after: start, changes: try changes(after: window.trendStart, through: window.from))
    var stretches: [[ChangeClass: Turnover]] = []
    var last = window.from
    for end in window.stretchEnds {
      stretches.append(try changes(after: last, through: end))
      last = end
    }
    var all: [ChangeClass: Turnover] = [:]
    for (kind, sum) in stretches.joined() { all[kind, default: Turnover()] += sum }
    return LedgerCourse(
      start: start.end, before: try changes(after: earlier.from, through: earlier.to), stretches: stretches,
      window: LedgerSums(after: atFrom, changes: all.filter { !$0.value.isZero }))
  }
}

/// What `Ledger.course(of:)` reads.
public struct LedgerCourse: Sendable {
  /// Where lines stood at the window's `trendStart`.
  public let start: [PositionClass: Balance]
  /// The changes of the window before.
  public let before: [ChangeClass: Turnover]
  /// Those of each stretch of the window.
  public let stretches: [[ChangeClass: Turnover]]
  public let window: LedgerSums
}
