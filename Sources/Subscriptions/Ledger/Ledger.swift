/// What every figure is made from, wherever it is kept: all changes of lines, dated facts, and the lists that are no sums.
public protocol Ledger {
  associatedtype Failure: Error

  /// The changes in (start, end], added up by class.
  ///
  /// - Parameter start: nil is the beginning of time.
  func changes(after start: Instant?, through end: Instant) throws(Failure) -> [ChangeClass: Turnover]

  /// The facts of a family in (start, end], added up by class: periods that nothing renewed as lost, refunds as issued whenever that is.
  func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) throws(Failure) -> [FactClass: FactSum]

  /// What of a family's facts in a window is otherwise at its end: periods that may yet be paid for, and refunds dated ahead.
  func corrections(_ family: FactFamily, _ window: Window) throws(Failure) -> [Correction]

  /// How many there are.
  func receipts() throws(Failure) -> Int

  /// The distinct users of lines in a state at the question's instant.
  func users(_ state: LineState, _ question: Question) throws(Failure) -> Int

  /// Lines in billing retry at the question's instant, the newest expiry first, no more than its limit.
  func failing(_ question: Question) throws(Failure) -> [BillingRetryFigures.Entry]

  /// Rows upgraded away in the window, the newest first, no more than the limit.
  func upgrades(_ question: Question) throws(Failure) -> [UpgradeFigures.Entry]

  /// Events of the window, family-shared lines' too, the newest first, no more than the limit.
  func events(_ question: Question) throws(Failure) -> [LineEvent]
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
