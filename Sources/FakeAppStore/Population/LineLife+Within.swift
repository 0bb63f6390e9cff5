import Subscriptions

/// What happens within a period.
extension LineLife {
  /// Apple gives the money back while the period runs; the customer does not stay.
  mutating func refund(row: Int, in term: Term) -> Term? {
    let soon = min(0.9, Double(20 * Milliseconds.day) / Double(term.length))
    let at = term.instant(between: 0.02, and: soon, &random)
    return refund(row: row, in: term, at: at, isAppIssue: random.chance(0.25))
  }

  mutating func refund(row: Int, in term: Term, at: Instant, isAppIssue: Bool) -> Term? {
    change(row: row) { $0.cancel(at: at, reason: isAppIssue ? "1" : "0") }
    return lapse(term, .customerCancelled, switchedOff: at)
  }

  /// Apple gives the money back for a period that has ended, whatever came after it.
  mutating func refundLater(row: Int, of term: Term) {
    let at = (term.expires + random.between(Milliseconds.hour, 35 * Milliseconds.day)).wholeSecond
    let isAppIssue = random.chance(0.2)
    change(row: row) { $0.cancel(at: at, reason: isAppIssue ? "1" : "0") }
  }

  /// The purchaser stops sharing: the member's row is revoked, with a cancellation date that has milliseconds.
  mutating func sharingStops(in term: Term, row: Int) -> Term? {
    let at = term.instant(between: 0.1, and: 0.9, &random) + random.between(1, 999)
    change(row: row) { $0.cancel(at: at, reason: "0") }
    return lapse(term, .customerCancelled, switchedOff: at)
  }

  /// A higher level, or another plan of the same level and length, begins at once; the old row is marked.
  mutating func moveUp(from term: Term, row: Int) -> Term? {
    guard let target = random.pick(term.product.immediateChanges, weight: \.popularity) else { return nil }
    if !term.isTrial, random.chance(0.12) { return moveUpWhileRenewing(from: term, to: target) }
    let at = term.instant(between: 0.03, and: 0.85, &random)
    mark(row: row, upgradedAt: at)
    renewals = 0
    return customer.term(target, at: at)
  }

  /// The renewal was there already when the customer moved up: it is the renewal that is marked, before it began.
  private mutating func moveUpWhileRenewing(from term: Term, to target: FakeProduct) -> Term {
    let shown = term.renewalShown(&random)
    let row = addRow(for: customer.term(term.product, at: term.expires, shown: shown, isRenewal: true))
    let at = (shown + random.between(Milliseconds.second, max(Milliseconds.second, term.expires - shown)))
      .wholeSecond
    mark(row: row, upgradedAt: at)
    renewals = 0
    return customer.term(target, at: at)
  }

  /// Two thirds get a cancellation date, within seconds or much later; a third, and the whole sandbox, never.
  private mutating func mark(row: Int, upgradedAt at: Instant) {
    let isDated = random.chance(0.67) && !customer.isSandbox
    let delay = random.between(0, 6) * Milliseconds.second
    let isLate = random.chance(0.06)
    let late = random.between(8, 32) * Milliseconds.hour
    change(row: row) { row in
      row.transaction.isUpgraded = true
      row.upgradedFrom = at
      if isDated { row.cancel(at: at + (isLate ? late : delay), reason: "0") }
    }
  }
}

extension LifeRow {
  mutating func cancel(at instant: Instant, reason: String) {
    transaction.cancellationDate = instant
    transaction.cancellationReason = reason
    cancelledFrom = max(instant, visibleFrom)
  }
}
