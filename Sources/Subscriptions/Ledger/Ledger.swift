/// What every figure is made from, wherever it is kept: all changes of lines, dated facts, and the lists that are no sums.
public protocol Ledger {
  associatedtype Failure: Error

  /// The changes in (start, end].
  ///
  /// - Parameter start: nil is the beginning of time.
  func changeSums(
    after start: Instant?, through end: Instant
  ) throws(Failure) -> ClassSums<ChangeClass, ChangeSum>

  /// The facts of a family in (start, end]: periods that nothing renewed as lost, refunds as issued whenever that is.
  func factSums(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) throws(Failure) -> ClassSums<FactClass, FactSum>

  /// What of a family's facts in a window is otherwise at its end: periods that may yet be paid for, and refunds dated ahead.
  func corrections(_ family: FactFamily, _ window: Window) throws(Failure) -> [Correction]

  /// METRICS §5, Cohorts: of lines that the question asks about, by its instant.
  func cohorts(_ question: Question) throws(Failure) -> CohortCounts

  /// Episodes as they stand at an instant, added up by class.
  func episodes(_ selection: EpisodeSelection) throws(Failure) -> [EpisodeSum]

  /// What has to be added to the facts of episodes, which tell of each what became of it in the end, to have how they stand at the instant.
  func corrections(_ selection: EpisodeSelection) throws(Failure) -> [EpisodeSum]

  /// Lines that have not yet agreed to a higher price at the question's instant, those whose period ends first in front, no more than its
  /// limit.
  func pendingConsents(_ question: Question) throws(Failure) -> [PendingConsent]

  /// How many there are.
  func receipts() throws(Failure) -> Int

  /// Whether the question's environment has purchases by its instant that do not renew.
  func hasOneTimePurchases(_ question: Question) throws(Failure) -> Bool

  /// Who is in grace or in billing retry at the question's instant.
  func failing(_ question: Question) throws(Failure) -> FailingLines

  /// Rows upgraded away in the window, the newest first, no more than the limit.
  func upgrades(_ question: Question) throws(Failure) -> [UpgradeEntry]

  /// Events of the window, family-shared lines' too, the newest first, no more than the limit.
  func events(_ question: Question) throws(Failure) -> [LineEvent]
}

extension Ledger {
  /// Each class of changes with its sum.
  public func changes(after start: Instant?, through end: Instant) throws(Failure) -> [ChangeClass: ChangeSum]
  {
    try changeSums(after: start, through: end).byClass
  }

  /// The same of facts.
  public func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) throws(Failure) -> [FactClass: FactSum] {
    try factSums(family, after: start, through: end).byClass
  }

  public func sums(of window: Window) throws(Failure) -> LedgerSums {
    LedgerSums(
      earlier: try changes(after: nil, through: window.from),
      changes: try changes(after: window.from, through: window.to))
  }
}
