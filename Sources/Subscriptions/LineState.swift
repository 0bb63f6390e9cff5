/// The state of a line at an instant: METRICS §3, where the first rule that matches wins.
public enum LineState: String, Hashable, Sendable, Codable, CaseIterable {
  case trial
  case active
  /// Expired by its dates, but not validated since: nobody knows yet.
  case overdue
  /// Expired and unpaid, with access until the grace period ends.
  case grace
  /// Expired and unpaid, without access, while Apple tries to bill for up to 60 days.
  case billingRetry = "billing_retry"
  case revoked
  case expired
}

/// How far Apple goes on trying to bill after an expiry.
public let billingRetryMilliseconds = 60 * Milliseconds.day

/// What holds for a line at an instant, with the rule that decided and the fields it read.
public struct Verdict: Hashable, Sendable {
  public var state: LineState
  /// The rule and the fields, for a person: `billing_retry: is_in_billing_retry_period = 1, expired 9 d ago, 51 d of 60 left`.
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
  /// Renewal infos observed after `t` are not used. METRICS §1.6: where the account is gone, nobody will ever tell
  /// whether the line was renewed or recovered, so it ended at its last expiry with its reason unknown.
  public func verdict(at t: Instant) -> Verdict? {
    guard let phase = phase(at: t) else { return nil }
    var renewal = renewalInfo(for: phase.current, at: t)
    var (state, why) = phase.state(at: t, renewal: renewal, validatedAt: validatedAt)
    if let gone = lastWord(by: t), [.overdue, .grace, .billingRetry].contains(state) {
      renewal?.expirationIntent = nil
      renewal?.isInBillingRetryPeriod = nil
      renewal?.gracePeriodExpiresDate = nil
      (state, why) = phase.endedState(at: t, renewal: renewal)
      why += "; status 21010 \(ago(t - gone)): the account is gone"
    }
    let end =
      state == .revoked ? (phase.revoking ?? phase.current).effectiveEnd : phase.accessEnd(renewal: renewal)
    let next = renewal?.autoRenewProductID
    return Verdict(
      state: state, why: why, current: phase.current, revoking: phase.revoking, renewal: renewal,
      accessUntil: end,
      changePending: renewal?.autoRenewStatus == true && next != nil && next != phase.current.productID)
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
  func state(at t: Instant, renewal: RenewalInfo?, validatedAt: Instant?) -> (LineState, why: String) {
    let expires = current.expires
    if isLive {
      if t < expires { return runningState(at: t) }
      if validatedAt.map({ $0 < expires }) ?? true {
        let seen =
          validatedAt.map { "last validated \(ago(t - $0)), before that expiry" } ?? "never validated"
        return (.overdue, "expired \(ago(t - expires)), \(seen)")
      }
      if let grace = renewal?.gracePeriodExpiresDate, grace > t {
        return (.grace, "grace_period_expires_date in \(days(grace - t)), expired \(ago(t - expires))")
      }
      if renewal?.isInBillingRetryPeriod == true, t < expires + billingRetryMilliseconds {
        let left = days(expires + billingRetryMilliseconds - t)
        return (
          .billingRetry, "is_in_billing_retry_period = 1, expired \(ago(t - expires)), \(left) of 60 left"
        )
      }
    }
    return endedState(at: t, renewal: renewal)
  }

  /// Rules 6 and 7.
  func endedState(at t: Instant, renewal: RenewalInfo?) -> (LineState, why: String) {
    if let revoking {
      let at = revoking.refundedAt ?? revoking.expires
      let field =
        "cancellation_date \(ago(t - at)), cancellation_reason = \(revoking.transaction.cancellationReason ?? "none")"
      return (.revoked, "\(field), \(isLive ? "reaching beyond the current row" : "no live row")")
    }
    return (.expired, expiredReason(at: t, renewal: renewal))
  }

  private func runningState(at t: Instant) -> (LineState, why: String) {
    let left = "expires_date in \(days(current.expires - t))"
    return current.kind == .trial
      ? (.trial, "is_trial_period = true, \(left)") : (.active, "\(current.kind) period, \(left)")
  }

  private func expiredReason(at t: Instant, renewal: RenewalInfo?) -> String {
    guard isLive else { return "every row was upgraded away" }
    let intent = renewal?.expirationIntent.map { "expiration_intent = \($0.rawValue) (\($0.name))" }
    return "expired \(ago(t - current.expires)), \(intent ?? "no expiration_intent: reason unknown")"
  }

  func accessEnd(renewal: RenewalInfo?) -> Instant {
    max(current.expires, renewal?.gracePeriodExpiresDate ?? current.expires)
  }
}

/// `9 d`, `5 h`, `12 min`: an age in one unit, which does not jitter.
public func days(_ milliseconds: Int64) -> String {
  let length = milliseconds.magnitude
  if length >= UInt64(2 * Milliseconds.day) { return "\(length / UInt64(Milliseconds.day)) d" }
  if length >= UInt64(2 * Milliseconds.hour) { return "\(length / UInt64(Milliseconds.hour)) h" }
  return length >= UInt64(Milliseconds.minute)
    ? "\(length / UInt64(Milliseconds.minute)) min" : "\(length / 1000) s"
}

private func ago(_ milliseconds: Int64) -> String {
  milliseconds >= 0 ? "\(days(milliseconds)) ago" : "in \(days(milliseconds))"
}
