/// Rules that derive a line's position at an instant from everything known (METRICS §3).
///
/// Instants must be queried in ascending order, because the rules pass over the line's rows once.
struct PositionRules {
  private let line: Line
  private let snapshots: RenewalSnapshots
  private let notices: GapNotices
  private var standing: CurrentRowCursor
  /// Sorted dates of purchases that can end or bridge a gap; rows that are dead from their purchase cannot.
  private let purchases: [Instant]
  private var gap: (row: Int, gap: LapseInterval)?

  init(_ line: Line) {
    self.line = line
    snapshots = RenewalSnapshots(
      line.renewals, instants: line.renewalValidations, confirmedAt: line.renewalsConfirmedAt,
      foreign: line.foreignProducts)
    notices = GapNotices(line)
    standing = CurrentRowCursor(line.rows)
    let rows = line.rows
    purchases = rows.indices.compactMap { rows[$0].isDead(at: rows[$0].purchase) ? nil : rows[$0].purchase }
  }

  var boundaries: [Instant] {
    guard let first = line.rows.first?.purchase else { return [] }
    var instants: Set = [first]
    func add(_ t: Instant) { if t > first { instants.insert(t) } }
    for place in line.rows.indices {
      add(line.rows[place].purchase)
      if let dead = line.rows[place].deadFrom { add(dead) }
      for wait in stateChangesAfterExpiry { add(line.rows[place].expires + wait) }
    }
    for run in snapshots.runs {
      add(run.from)
      for element in run.elements { if let end = element.info.gracePeriodExpiresDate { add(end) } }
    }
    return instants.sorted()
  }

  /// Returns a span that begins at an instant and has no end; `nil` before the first purchase.
  mutating func span(at t: Instant) -> Span? {
    guard let position = position(at: t) else { return nil }
    let place = position.row
    let gap = gap(after: place, at: t)
    let graceEnd = isGone(in: gap) ? nil : gap.graceEnd
    let expires = line.rows[place].expires
    return Span(
      from: t, until: .distantFuture, position: position,
      renewal: snapshots.lastRun(by: t).flatMap {
        snapshots.runs[$0].element(for: line.rows[place].productID)?.place
      },
      accessEnd: position.state == .revoked
        ? line.rows[place].effectiveEnd : max(expires, graceEnd ?? expires))
  }

  mutating func position(at t: Instant) -> Position? {
    guard let first = line.rows.first?.purchase, t >= first else { return nil }
    standing.move(to: t)
    if let place = standing.livePlace {
      if line.rows[place].covers(t, purchases: purchases) {
        let state: LineState = line.rows[place].kind == .trial ? .trial : .active
        return Position(state: state, row: place, autoRenew: autoRenew(of: place, at: t))
      }
      if let refunded = standing.refundedPlace, line.rows[refunded].expires > line.rows[place].expires {
        return revoked(refunded, at: t)
      }
      return position(after: place, at: t)
    }
    if let refunded = standing.refundedPlace { return revoked(refunded, at: t) }
    guard let dead = standing.deadPlace else { return nil }
    let reason = gap(after: dead, at: t).reason
    return Position(state: .expired, row: dead, reason: reason, autoRenew: autoRenew(of: dead, at: t))
  }

  private func revoked(_ place: Int, at t: Instant) -> Position {
    Position(state: .revoked, row: place, reason: .refunded, autoRenew: autoRenew(of: place, at: t))
  }

  /// Returns the position by rules 3 to 7 of METRICS §3, for a live row that has expired.
  private mutating func position(after place: Int, at t: Instant) -> Position {
    let gap = gap(after: place, at: t)
    let autoRenew = autoRenew(of: place, at: t)
    let isUnseen = !gap.isSeen && t < gap.expires + billingRetryMilliseconds
    func position(_ state: LineState, _ reason: LossReason? = nil) -> Position {
      Position(state: state, row: place, reason: reason, autoRenew: autoRenew, isUnseen: isUnseen)
    }
    let isOverdue = isOverdue(gap)
    if isGone(in: gap), isOverdue || gap.isUnpaid { return position(.expired, .unknown) }
    if isOverdue { return position(.overdue) }
    if let grace = gap.graceEnd, grace > t { return position(.grace) }
    if let end = gap.retryEnd, t < end { return position(.billingRetry) }
    if gap.next <= gap.expires + billingRetryMilliseconds, !line.wasValidated(in: gap.expires..<gap.next) {
      return position(.unattributed)
    }
    return position(.expired, gap.reason)
  }

  /// Whether the gap is the last and the account is gone, so that no answer can show how the gap ended.
  private func isGone(in gap: LapseInterval) -> Bool { gap.next == .distantFuture && line.lastWord != nil }

  private func isOverdue(_ gap: LapseInterval) -> Bool { line.validatedAt.map { $0 < gap.expires } ?? true }

  private func autoRenew(of place: Int, at t: Instant) -> Bool? {
    snapshots.lastRun(by: t).flatMap {
      snapshots.runs[$0].info(for: line.rows[place].productID)?.autoRenewStatus
    }
  }

  private mutating func gap(after place: Int, at t: Instant) -> LapseInterval {
    let next = purchases.placeAfter { $0 <= t }
    let end = next < purchases.count ? purchases[next] : .distantFuture
    if let gap, gap.row == place, gap.gap.next == end { return gap.gap }
    let gap = LapseInterval(after: line.rows[place], until: end, snapshots: snapshots, notices)
    self.gap = (place, gap)
    return gap
  }
}

extension Row {
  /// Whether the row runs at `t`, or one of the sorted purchases bridges its gap at `t` (METRICS §3).
  fileprivate func covers(_ t: Instant, purchases: [Instant]) -> Bool {
    if t < expires { return true }
    guard t < expires + Milliseconds.day else { return false }
    let next = purchases.placeAfter { $0 <= t }
    return next < purchases.count && purchases[next] <= expires + Milliseconds.day
  }
}
