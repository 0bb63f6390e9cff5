/// Changes up to the end of a window, in the parts that its figures and their trend need. Each part is read
/// once.
struct LedgerCourse: Sendable {
  /// Positions at the window's `trendStart`.
  let start: LedgerSums
  /// Sums of the window before. It has changes only if the panel's trend follows them.
  let before: LedgerSums
  /// Changes of each stretch of the window. Their balances are the movements of the window's balance. Empty
  /// if the panel's trend does not follow lines.
  let moves: [LedgerSums]
  let sums: LedgerSums
}

extension Ledger {
  func course(_ question: Question) throws(Failure) -> LedgerCourse {
    let (window, counting) = (question.window, PanelCounting(question.panel))
    let toStart = try changes(after: nil, through: window.trendStart)
    let toWindow = try changes(after: window.trendStart, through: window.from)
    var stretches: [[ChangeClass: ChangeSum]] = []
    var last = window.from
    for end in counting.followsLines ? window.stretchEnds : [window.to] {
      stretches.append(try changes(after: last, through: end))
      last = end
    }
    let sums = LedgerSums(
      earlier: toStart.merging(toWindow, uniquingKeysWith: +),
      changes: stretches.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) })
    let before = question.before.window
    let earlier =
      counting.followsChanges ? try changes(after: before.from, through: before.to) : [:]
    return LedgerCourse(
      start: LedgerSums(earlier: toStart, changes: [:]),
      before: LedgerSums(end: sums.start, changes: earlier),
      moves: counting.followsLines ? stretches.map { LedgerSums(earlier: [:], changes: $0) } : [],
      sums: sums)
  }
}
