public typealias FailingLines = (users: Int, usersInGrace: Int, rows: [UnpaidEntry])

/// Source of every figure, in memory or in a store: changes of lines, dated facts, and lists that are not
/// sums.
public protocol Ledger {
  associatedtype Failure: Error

  /// Returns the changes in (start, end]; a `nil` start is the beginning of time.
  func changes(after start: Instant?, through end: Instant) throws(Failure) -> [ChangeClass: ChangeSum]

  /// Returns the facts of a family in (start, end]. Periods without a renewal are lost, and refunds count
  /// whenever they are dated.
  func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) throws(Failure) -> [FactClass: FactSum]

  /// Returns corrections for a family's facts whose outcome at the window's end differs from the stored one:
  /// periods that may still be paid for, and refunds dated later.
  func corrections(_ family: FactFamily, _ window: Window) throws(Failure) -> [Correction]

  /// Returns the cohorts of the question's lines by its instant (METRICS §5, Cohorts).
  func cohorts(_ question: Question) throws(Failure) -> CohortCounts

  /// Returns the episodes with their outcomes at an instant, added up by class.
  func episodes(_ selection: EpisodeSelection) throws(Failure) -> [EpisodeSum]

  /// Returns the sums that turn the facts of episodes, which have the final outcomes, into the outcomes at
  /// the instant.
  func corrections(_ selection: EpisodeSelection) throws(Failure) -> [EpisodeSum]

  /// Returns lines with an open request for consent at the question's instant, earliest period end first, up
  /// to the question's limit.
  func pendingConsents(_ question: Question) throws(Failure) -> [PendingConsent]

  func receipts() throws(Failure) -> Int

  /// Whether the question's environment has purchases by its instant that do not renew.
  func hasOneTimePurchases(_ question: Question) throws(Failure) -> Bool

  /// Returns the lines in grace or billing retry at the question's instant, which sums by class cannot
  /// answer: the distinct users, and the lines in billing retry, newest expiry first, up to the limit.
  func failing(_ question: Question) throws(Failure) -> FailingLines

  /// Returns rows upgraded away in the window, newest first, up to the limit.
  func upgrades(_ question: Question) throws(Failure) -> [UpgradeEntry]

  /// Returns events of the window, newest first, up to the limit. Includes those of family-shared lines.
  func events(_ question: Question) throws(Failure) -> [LineEvent]
}

extension Ledger {
  public func sums(of window: Window) throws(Failure) -> LedgerSums {
    LedgerSums(
      earlier: try changes(after: nil, through: window.from),
      changes: try changes(after: window.from, through: window.to))
  }
}
