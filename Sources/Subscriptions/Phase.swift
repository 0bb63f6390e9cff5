/// A stretch of time in which one row of a line is the current one: METRICS §2, Current row.
///
/// The phases of a line tile the time from its first purchase on. State at any instant is a test of dates within one phase.
public struct Phase: Hashable, Sendable {
  /// First instant of the phase.
  public var from: Instant
  /// First instant after the phase.
  public var until: Instant
  public var current: Row
  public var isLive: Bool
  /// METRICS §3 rule 6: the refunded row with the greatest expiry, where no row is live or it reaches beyond the current one.
  public var revoking: Row?
}

extension Line {
  /// The phases in order; empty for a line without rows.
  public var phases: [Phase] {
    let boundaries = Set(
      rows.map(\.purchase) + rows.compactMap { $0.deadFrom.map { max($0, firstPurchase) } }
    )
    .sorted()
    var phases: [Phase] = []
    var standing = StandingRows(rows)
    for (from, until) in zip(boundaries, boundaries.dropFirst() + [.distantFuture]) {
      standing.move(to: from)
      let (live, refunded, dead) = (standing.live, standing.refunded, standing.dead)
      guard let phase = Phase(from: from, until: until, live: live, refunded: refunded, dead: dead) else {
        continue
      }
      if let last = phases.last, last.isSame(as: phase) {
        phases[phases.count - 1].until = until
      } else {
        phases.append(phase)
      }
    }
    return phases
  }

  /// The phase that holds an instant; nil before the first purchase.
  public func phase(at t: Instant) -> Phase? {
    t < firstPurchase ? nil : phase(from: t, until: t + 1)
  }

  private var firstPurchase: Instant { rows.first?.purchase ?? .distantPast }

  private func phase(from: Instant, until: Instant) -> Phase? {
    let live = rows.filter { $0.isLive(at: from) }.max(by: Row.reachesLess)
    let refunded = rows.filter { $0.refundedAt.map { $0 <= from } ?? false }.max { $0.expires < $1.expires }
    let dead = rows.filter { $0.purchase <= from && $0.isDead(at: from) }.max { $0.expires < $1.expires }
    return Phase(from: from, until: until, live: live, refunded: refunded, dead: dead)
  }
}

extension Phase {
  /// - Parameters:
  ///   - live: the live row that reaches farthest.
  ///   - refunded: the refunded one.
  ///   - dead: the one that has begun and is refunded or upgraded away.
  fileprivate init?(from: Instant, until: Instant, live: Row?, refunded: Row?, dead: Row?) {
    guard let current = live ?? refunded ?? dead else { return nil }
    let revokes = refunded.map { live == nil || $0.expires > current.expires } ?? false
    self.init(
      from: from, until: until, current: current, isLive: live != nil, revoking: revokes ? refunded : nil)
  }

  fileprivate func isSame(as other: Phase) -> Bool {
    current.id == other.current.id && isLive == other.isLive && revoking?.id == other.revoking?.id
  }
}
