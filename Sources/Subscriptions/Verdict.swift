/// What holds for a line at an instant, with the rule that decided and the fields it read.
public struct Verdict: Hashable, Sendable {
  public var state: LineState
  /// The rule and the fields, for a person: `is_in_billing_retry_period = 1, expired 9 d ago, 51 d of 60 left`.
  public var why: String
  public var current: Row
  /// The refunded row that a revoked line is counted by.
  public var revoking: Row?
  public var renewal: RenewalInfo?
  /// METRICS §3, Access end.
  public var accessUntil: Instant
  public var changePending: Bool

  /// Why an expired line ended; nil for any other state and where Apple did not say.
  public var expirationIntent: ExpirationIntent? { state == .expired ? renewal?.expirationIntent : nil }
  public var autoRenew: Bool? { renewal?.autoRenewStatus }
  public var priceConsentPending: Bool { renewal?.priceConsentStatus == "0" }
  /// The row whose kind decides whether a loss was of a paid line or of a trial.
  public var countedRow: Row { state == .revoked ? revoking ?? current : current }
}

extension Line {
  /// The verdict at an instant; nil before the first purchase.
  ///
  /// Renewal infos observed after `t` are not used.
  public func verdict(at t: Instant) -> Verdict? {
    guard let phase = phase(at: t) else { return nil }
    let (state, renewal, gone) = judge(phase, at: t, renewal: renewalInfo(for: phase.current, at: t))
    let judgement = Judgement(from: t, until: t + 1, state: state, phase: phase, renewal: renewal)
    let facts = StateFacts(
      state: state, phase: phase, renewal: renewal, validatedAt: validatedAt, goneAt: gone)
    return Verdict(
      state: state, why: facts.why(at: t), current: phase.current, revoking: phase.revoking, renewal: renewal,
      accessUntil: judgement.accessEnd, changePending: judgement.isChangePending)
  }

  /// The state at an instant of a phase, with what the renewal info still says.
  ///
  /// METRICS §1.6: where the account is gone, nobody will ever tell whether the line was renewed or recovered, so it ended
  /// at its last expiry with its reason unknown.
  func judge(
    _ phase: Phase, at t: Instant, renewal: RenewalInfo?
  ) -> (state: LineState, renewal: RenewalInfo?, gone: Instant?) {
    let state = phase.state(at: t, renewal: renewal, validatedAt: validatedAt)
    guard let last = lastWord(by: t), [.overdue, .grace, .billingRetry].contains(state) else {
      return (state, renewal, nil)
    }
    var rest = renewal
    rest?.expirationIntent = nil
    rest?.isInBillingRetryPeriod = nil
    rest?.gracePeriodExpiresDate = nil
    return (phase.revoking == nil ? .expired : .revoked, rest, last)
  }

  /// When Apple said that the account is gone, where no answer came after that.
  func lastWord(by t: Instant) -> Instant? {
    goneAt.flatMap { gone in gone <= t && (validatedAt.map { $0 < gone } ?? true) ? gone : nil }
  }

  /// METRICS §2, Renewal info P: the chain's, preferring the current row's product, as last observed at or before `t`.
  func renewalInfo(for current: Row, at t: Instant) -> RenewalInfo? {
    let known = renewals.filter { $0.observedAt <= t }
    let latest = known.filter { $0.observedAt == known.last?.observedAt }
    return (latest.last { $0.info.productID == current.productID } ?? latest.last)?.info
  }
}

extension Phase {
  /// METRICS §3, in its order; the dates are tested first, since intent and grace persist after they stop being true.
  func state(at t: Instant, renewal: RenewalInfo?, validatedAt: Instant?) -> LineState {
    let expires = current.expires
    if isLive {
      if t < expires { return current.kind == .trial ? .trial : .active }
      if validatedAt.map({ $0 < expires }) ?? true { return .overdue }
      if let grace = renewal?.gracePeriodExpiresDate, grace > t { return .grace }
      if renewal?.isInBillingRetryPeriod == true, t < expires + billingRetryMilliseconds {
        return .billingRetry
      }
    }
    return revoking == nil ? .expired : .revoked
  }

  func accessEnd(renewal: RenewalInfo?) -> Instant {
    max(current.expires, renewal?.gracePeriodExpiresDate ?? current.expires)
  }
}
