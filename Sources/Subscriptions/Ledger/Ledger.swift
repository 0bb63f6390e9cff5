public typealias FailingLines = (users: Int, usersInGrace: Int, rows: [UnpaidEntry])

/// Source of all figures, in memory or in a store: lists, and sums of changes, facts and episodes by class.
public protocol Ledger {
  associatedtype Failure: Error

  /// Returns the sums of the changes in (start, end] by class; a `nil` start means the beginning of time.
  func changes(after start: Instant?, through end: Instant) throws(Failure) -> [ChangeClass: ChangeSum]

  /// Returns the sums of a family's facts in (start, end] by class, using everything known today: unrenewed
  /// periods count as lost, and purchases refunded after `end` as refunded.
  func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) throws(Failure) -> [FactClass: FactSum]

  /// Returns corrections for the window's facts whose outcome at its end differs from the one in `facts`,
  /// because the period could still be paid for or the refund came later.
  func corrections(_ family: FactFamily, _ window: Window) throws(Failure) -> [Correction]

  func cohorts(_ question: Question) throws(Failure) -> CohortCounts

  /// Returns the sums of the selected episodes, with their outcomes at the selection's instant.
  func episodes(_ selection: EpisodeSelection) throws(Failure) -> [EpisodeSum]

  /// Returns the episodes' sums by outcome at the instant, minus those by final outcome in `facts`.
  func corrections(_ selection: EpisodeSelection) throws(Failure) -> [EpisodeSum]

  /// Returns the open requests for price consent, earliest period end first, up to the question's limit.
  func pendingConsents(_ question: Question) throws(Failure) -> [PendingConsent]

  func receipts() throws(Failure) -> Int

  /// Whether the question's environment has one-time purchases up to the question's instant.
  func hasOneTimePurchases(_ question: Question) throws(Failure) -> Bool

  /// Returns what sums by class cannot provide: the numbers of distinct users in billing retry and in grace,
  /// and the lines in billing retry, newest expiry first, up to the limit.
  func failing(_ question: Question) throws(Failure) -> FailingLines

  /// Returns the rows upgraded away in the window, newest first, up to the limit.
  func upgrades(_ question: Question) throws(Failure) -> [UpgradeEntry]

  /// Returns the events of the window, including those of family-shared lines, newest first, up to the limit.
  func events(_ question: Question) throws(Failure) -> [LineEvent]
}

extension Ledger {
  public func sums(of window: Window) throws(Failure) -> LedgerSums {
    LedgerSums(
      earlier: try changes(after: nil, through: window.from),
      changes: try changes(after: window.from, through: window.to))
  }
}
