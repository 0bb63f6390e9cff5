import Subscriptions
import TestSupport

/// METRICS §2 and §3 said over again, sentence by sentence and without regard to speed: what `Line.timeline` is held against.
struct ReferencePosition {
  let line: Line

  private struct Snapshot {
    var at: Instant
    var infos: [RenewalInfo]
  }

  private static let hour24 = Milliseconds.day
  private static let days60 = 60 * Milliseconds.day

  func position(at t: Instant) -> Position? {
    guard line.rows.contains(where: { $0.purchase <= t }) else { return nil }
    let live = line.rows.indices.filter { line.rows[$0].isLive(at: t) }.max(by: reachesLess)
    let refunded = line.rows.indices.filter { line.rows[$0].refundedAt.map { $0 <= t } ?? false }
      .max { (line.rows[$0].expires, $1) < (line.rows[$1].expires, $0) }
    func revoked(_ place: Int) -> Position {
      Position(.revoked, row: place, reason: .refunded, autoRenew: autoRenew(line.rows[place], t))
    }
    guard let live else {
      if let refunded { return revoked(refunded) }
      let gone = line.rows.indices.filter { line.rows[$0].purchase <= t && line.rows[$0].isDead(at: t) }
      guard let dead = gone.max(by: { (line.rows[$0].expires, $1) < (line.rows[$1].expires, $0) }) else {
        return nil
      }
      let row = line.rows[dead]
      return Position(.expired, row: dead, reason: reason(row, gap(row, t)), autoRenew: autoRenew(row, t))
    }
    let x = line.rows[live]
    func at(_ state: LineState, _ reason: LossReason? = nil, isUnseen: Bool = false) -> Position {
      Position(state, row: live, reason: reason, autoRenew: autoRenew(x, t), isUnseen: isUnseen)
    }
    let bridged = line.rows.contains {
      counts($0) && $0.purchase > t && $0.purchase >= x.expires && $0.purchase <= x.expires + Self.hour24
    }
    if t < x.expires || bridged { return at(x.kind == .trial ? .trial : .active) }
    if let refunded, line.rows[refunded].expires > x.expires { return revoked(refunded) }
    let gap = gap(x, t)
    let isUnseen = t < x.expires + Self.days60 && !snapshots.contains { gap.contains($0.at) }
    if let goneAt = line.goneAt, gap.upperBound == .distantFuture,
      !line.validations.contains(where: { $0 >= goneAt }),
      !line.validations.contains(where: { $0 >= x.expires }) || grace(x, before: gap.upperBound) != nil
        || endOfRetry(x, gap).map({ $0 > x.expires }) ?? false
    {
      return at(.expired, .unknown, isUnseen: isUnseen)
    }
    if !line.validations.contains(where: { $0 >= x.expires }) { return at(.overdue, isUnseen: isUnseen) }
    if let grace = grace(x, before: gap.upperBound), grace > t { return at(.grace, isUnseen: isUnseen) }
    if t < x.expires + Self.days60, let end = endOfRetry(x, gap), t < end {
      return at(.billingRetry, isUnseen: isUnseen)
    }
    if gap.upperBound <= x.expires + Self.days60, !line.validations.contains(where: gap.contains) {
      return at(.unattributed, isUnseen: isUnseen)
    }
    return at(.expired, reason(x, gap), isUnseen: isUnseen)
  }

  private func reachesLess(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (line.rows[left], line.rows[right])
    return (a.expires, a.purchase, a.id) < (b.expires, b.purchase, b.id)
  }

  /// Not dead from its purchase.
  private func counts(_ row: Row) -> Bool { row.deadFrom.map { $0 > row.purchase } ?? true }

  private func gap(_ x: Row, _ t: Instant) -> Range<Instant> {
    let next = line.rows.filter { counts($0) && $0.purchase > t }.map(\.purchase).min() ?? .distantFuture
    return x.expires..<max(x.expires, next)
  }

  /// What each validation showed, put together from the changes that are kept.
  private var snapshots: [Snapshot] {
    line.renewalValidations.compactMap { at in
      guard let observed = line.renewals.last(where: { $0.observedAt <= at })?.observedAt else { return nil }
      let infos = line.renewals.filter { $0.observedAt == observed }.map(\.info)
        .filter { info in !(info.productID.map(line.foreignProducts.contains) ?? false) }
      return infos.isEmpty ? nil : Snapshot(at: at, infos: infos)
    }
  }

  private func info(_ snapshot: Snapshot, _ x: Row) -> RenewalInfo? {
    snapshot.infos.last { $0.productID == x.productID } ?? snapshot.infos.last
  }

  private func autoRenew(_ x: Row, _ t: Instant) -> Bool? {
    snapshots.last { $0.at <= t }.flatMap { info($0, x)?.autoRenewStatus }
  }

  private func grace(_ x: Row, before next: Instant) -> Instant? {
    snapshots.filter { $0.at < next }.compactMap { info($0, x)?.gracePeriodExpiresDate }.last {
      $0 > x.expires
    }
  }

  private func endOfRetry(_ x: Row, _ gap: Range<Instant>) -> Instant? {
    let within = snapshots.filter { gap.contains($0.at) }
    let retrying = within.last {
      $0.at < x.expires + Self.days60 && info($0, x)?.isInBillingRetryPeriod == true
    }
    return retrying.map { z in within.first { $0.at > z.at }?.at ?? .distantFuture }
  }

  private func reason(_ x: Row, _ gap: Range<Instant>) -> LossReason {
    let last = snapshots.last { gap.contains($0.at) }
    return last.flatMap { info($0, x)?.expirationIntent }.map(LossReason.intent) ?? .unknown
  }
}
