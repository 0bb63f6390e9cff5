/// Gap [E, N) between a row's expiry and the next purchase, with the evidence about it (METRICS §3).
struct LapseInterval {
  /// `expires_date` of the row (E in METRICS §3).
  let expires: Instant
  /// Next purchase (N in METRICS §3); `distantFuture` if none is known.
  let next: Instant
  /// End of grace (G in METRICS §3); `nil` if none that ends after `expires` was reported before `next`.
  let graceEnd: Instant?
  /// End of billing retry; `nil` if no snapshot of the gap and no recovery notification shows billing retry.
  let retryEnd: Instant?
  /// Reason in the gap's last snapshot, or else a notification's; `unknown` without a reason or a snapshot.
  let reason: LossReason
  let isSeen: Bool

  /// Whether the line was in grace or billing retry when the gap began.
  var isUnpaid: Bool { graceEnd != nil || retryEnd.map { $0 > expires } ?? false }

  init(after row: Row, until next: Instant, snapshots: RenewalSnapshots, _ notices: GapNotices) {
    expires = row.expires
    self.next = next
    graceEnd = snapshots.graceEnd(of: row, before: next)
    let gap = row.expires..<max(row.expires, next)
    // A recovery notification counts as a snapshot of billing retry just before the purchase.
    let limit = row.expires + billingRetryMilliseconds
    let isRecovered = notices.recoveries.contains(next) && gap.contains(next - 1) && next - 1 < limit
    retryEnd = isRecovered ? limit : snapshots.retryEnd(of: row, in: gap)
    let last = snapshots.last(in: gap).flatMap(snapshots.lastRun(by:))
    isSeen = isRecovered || last != nil
    let intent = last.flatMap {
      snapshots.runs[$0].info(for: row.productID)?.expirationIntent ?? notices.intent(in: gap)
    }
    reason = intent.map(LossReason.intent) ?? .unknown
  }
}

/// Evidence from notifications about the gaps between a line's rows (METRICS §3).
struct GapNotices {
  /// Purchase dates of the rows that DID_RENEW/BILLING_RECOVERY notifications are about.
  let recoveries: Set<Instant>
  /// Expiration intents from the subtypes of EXPIRED notifications, oldest first.
  private let intents: [(at: Instant, intent: ExpirationIntent)]

  init(_ line: Line) {
    let notifications = line.notifications
    recoveries = Set(
      notifications.lazy.filter { $0.type == .didRenew && $0.subtype == "BILLING_RECOVERY" }
        .compactMap { line.row(of: $0)?.purchase })
    intents = notifications.compactMap { notification in
      guard notification.type == .expired else { return nil }
      return ExpirationIntent.named(bySubtype: notification.subtype).map { (notification.observedAt, $0) }
    }
  }

  func intent(in gap: Range<Instant>) -> ExpirationIntent? { intents.last { gap.contains($0.at) }?.intent }
}

extension RenewalSnapshots {
  /// Returns the end of grace from the last renewal info before `next` whose grace ends after the expiry.
  fileprivate func graceEnd(of row: Row, before next: Instant) -> Instant? {
    guard let last = lastRun(before: next) else { return nil }
    for run in runs[...last].reversed() {
      if let end = run.info(for: row.productID)?.gracePeriodExpiresDate, end > row.expires { return end }
    }
    return nil
  }

  /// Returns the end of billing retry (METRICS §3), at most 60 days after the expiry; `nil` if none was seen.
  fileprivate func retryEnd(of row: Row, in gap: Range<Instant>) -> Instant? {
    let limit = row.expires + billingRetryMilliseconds
    let watched = gap.clamped(to: gap.lowerBound..<max(gap.lowerBound, limit))
    guard !watched.isEmpty, let last = lastRun(before: watched.upperBound) else { return nil }
    for run in runs[...last].reversed() {
      if run.through < watched.lowerBound { return nil }
      guard run.info(for: row.productID)?.isInBillingRetryPeriod == true else { continue }
      let seen = max(run.from, watched.lowerBound)..<min(run.through + 1, watched.upperBound)
      guard !seen.isEmpty, let z = self.last(in: seen) else { continue }
      return min(limit, first(after: z, before: gap.upperBound) ?? limit)
    }
    return nil
  }
}
