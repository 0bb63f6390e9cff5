/// A stretch of time in which a line's verdict stays the same.
public struct Judgement: Hashable, Sendable {
  public var from: Instant
  /// First instant after it.
  public var until: Instant
  public var state: LineState
  public var phase: Phase
  /// What had been observed by its beginning, less what no longer holds where the account is gone.
  public var renewal: RenewalInfo?

  public var current: Row { phase.current }

  /// METRICS §3, Access end.
  public var accessEnd: Instant {
    state == .revoked ? (phase.revoking ?? current).effectiveEnd : phase.accessEnd(renewal: renewal)
  }

  /// The row whose kind decides whether a loss was of a paid line or of a trial.
  public var countedRow: Row { state == .revoked ? phase.revoking ?? current : current }

  public var isChangePending: Bool {
    guard renewal?.autoRenewStatus == true, let next = renewal?.autoRenewProductID else { return false }
    return next != current.productID
  }
}

extension Line {
  /// The line's verdicts in order of time, from its first purchase on: what `verdict(at:)` says at each of their instants.
  public var judgements: [Judgement] {
    let infos = Dictionary(grouping: renewals, by: \.observedAt)
    let observed = infos.keys.sorted()
    var judgements: [Judgement] = []
    var next = 0
    for phase in phases {
      while next < observed.count, observed[next] <= phase.from { next += 1 }
      var known: [(at: Instant, info: RenewalInfo?)] = []
      var cuts: Set<Instant> = [phase.from]
      func cut(_ t: Instant) { if t > phase.from && t < phase.until { cuts.insert(t) } }
      for place in max(0, next - 1)..<observed.count {
        guard observed[place] < phase.until else { break }
        let set = infos[observed[place]] ?? []
        let info = (set.last { $0.info.productID == phase.current.productID } ?? set.last)?.info
        known.append((observed[place], info))
        cut(observed[place])
        info?.gracePeriodExpiresDate.map(cut)
      }
      cut(phase.current.expires)
      cut(phase.current.expires + billingRetryMilliseconds)
      goneAt.map(cut)
      let starts = cuts.sorted()
      for (from, until) in zip(starts, starts.dropFirst() + [phase.until]) {
        let renewal = known.last { $0.at <= from }?.info
        judgements.append(judgement(of: phase, from: from, until: until, renewal: renewal))
      }
    }
    return judgements
  }

  private func judgement(
    of phase: Phase, from: Instant, until: Instant, renewal: RenewalInfo?
  ) -> Judgement {
    let judged = judge(phase, at: from, renewal: renewal)
    return Judgement(from: from, until: until, state: judged.state, phase: phase, renewal: judged.renewal)
  }
}
