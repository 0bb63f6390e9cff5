extension Stranger.Line {
  /// Rule and state at t (METRICS 3).
  var judgement: (rule: Int, state: String) {
    guard let current else { return (7, "expired") }
    if current.isLive(at: instant) {
      if instant < current.end { return current.isTrial ? (1, "trial") : (2, "active") }
      if !isGone {
        if chain.validatedAt.map({ $0 < current.end }) ?? true { return (3, "overdue") }
        if let grace = renewal?.graceEnd, grace > instant { return (4, "grace") }
        if renewal?.isInRetry == true, instant < current.end + 60 * Stranger.day {
          return (5, "billing_retry")
        }
      }
      let isOutlasted = periods.contains { $0.isRefunded(at: instant) && $0.end > current.end }
      return isOutlasted ? (6, "revoked") : (7, "expired")
    }
    return current.isRefunded(at: instant) ? (6, "revoked") : (7, "expired")
  }

  var state: String { judgement.state }

  /// The account is gone: nothing is known of it after its last expiry.
  private var isGone: Bool { chain.goneAt.map { $0 <= instant } ?? false }

  /// The refunded row with the greatest expiry.
  var refunded: Stranger.Period? {
    periods.filter { $0.isRefunded(at: instant) }.max { $1.isLastingLongerThan($0) }
  }

  /// The row that a loss is counted by.
  var lost: Stranger.Period? { state == "revoked" ? refunded : current }

  var accessEnd: Int? {
    if state == "revoked" { return refunded?.effectiveEnd }
    guard let current else { return nil }
    return isGone ? current.end : max(current.end, renewal?.graceEnd ?? .min)
  }

  /// Why it expired; an intent outlives its truth, so that it says nothing of any other state.
  var intent: String? { state == "expired" && !isGone ? renewal?.intent : nil }

  var isChangePending: Bool {
    guard renewal?.autoRenew == true, let next = renewal?.nextProduct else { return false }
    return next != current?.row.product
  }

  /// Active paid at an instant by its rows alone, as renewal info of that day may never have been seen.
  func wasActivePaid(at instant: Int) -> Bool {
    guard let current = current(at: instant), current.isLive(at: instant) else { return false }
    return instant < current.end && !current.isTrial
  }

  var isActivePaid: Bool { state == "active" || state == "grace" }

  /// Renewed, pending or lost, of a row that was due.
  func outcome(of period: Stranger.Period) -> String {
    let isRenewed = periods.contains {
      $0.id != period.id && $0.row.start > period.row.start && $0.row.start <= period.end + Stranger.day
        && $0.end > period.end
    }
    if isRenewed { return "renewed" }
    let isOpen = ["grace", "billing_retry", "overdue"].contains(state) && period.id == current?.id
    return isOpen ? "pending" : "lost"
  }

  /// From a trial's effective end to the next row that starts later and is not a trial; nil where there is none.
  func conversionDelay(of trial: Stranger.Period) -> Int? {
    periods.first { $0.row.start > trial.row.start && !$0.isTrial }.map { $0.row.start - trial.effectiveEnd }
  }

  /// The row whose product a row changed at its renewal; nil where it is no such change.
  func changedAtRenewal(_ period: Stranger.Period) -> Stranger.Period? {
    guard !periods.contains(where: { $0.successor?.id == period.id }) else { return nil }
    guard let before = periods.last(where: { period.isAfter($0) && !$0.row.isUpgraded }) else { return nil }
    let gap = period.row.start - before.end
    guard before.row.product != period.row.product, gap >= -Stranger.day, gap <= 60 * Stranger.day else {
      return nil
    }
    return before
  }
}
