/// The fields that a rule of METRICS §3 read to decide on a state, from which it is explained.
public struct StateFacts: Hashable, Sendable {
  public var state: LineState
  /// Of the current row.
  public var kind: PeriodKind
  public var expires: Instant
  /// Whether the current row is live, upgraded and refunded ones apart.
  public var isLive: Bool
  public var validatedAt: Instant?
  public var gracePeriodExpires: Instant?
  public var expirationIntent: ExpirationIntent?
  /// Of the refunded row that revokes the line.
  public var cancellationDate: Instant?
  public var cancellationReason: String?
  public var refundedTransactionID: TransactionID?
  public var refundedExpires: Instant?
  public var isInBillingRetryPeriod: Bool?
  /// Where status 21010 cut rules 3 to 5 short.
  public var goneAt: Instant?

  public init(state: LineState, kind: PeriodKind, expires: Instant, isLive: Bool) {
    self.state = state
    self.kind = kind
    self.expires = expires
    self.isLive = isLive
  }

  init(state: LineState, phase: Phase, renewal: RenewalInfo?, validatedAt: Instant?, goneAt: Instant?) {
    self.init(state: state, kind: phase.current.kind, expires: phase.current.expires, isLive: phase.isLive)
    self.validatedAt = validatedAt
    gracePeriodExpires = renewal?.gracePeriodExpiresDate
    expirationIntent = renewal?.expirationIntent
    cancellationDate = phase.revoking?.refundedAt
    cancellationReason = phase.revoking?.transaction.cancellationReason
    refundedTransactionID = phase.revoking?.id
    refundedExpires = phase.revoking?.expires
    isInBillingRetryPeriod = renewal?.isInBillingRetryPeriod
    self.goneAt = goneAt
  }

  /// The rule and the fields it read, for a person.
  public func why(at t: Instant) -> String {
    let gone = goneAt.map { "; status 21010 \(ago(t - $0)): the account is gone" } ?? ""
    return reason(at: t) + gone
  }

  private func reason(at t: Instant) -> String {
    let expired = "expired \(ago(t - expires))"
    switch state {
    case .trial: return "is_trial_period = true, expires_date in \(days(expires - t))"
    case .active: return "\(kind) period, expires_date in \(days(expires - t))"
    case .overdue:
      let seen = validatedAt.map { "last validated \(ago(t - $0)), before that expiry" } ?? "never validated"
      return "\(expired), \(seen)"
    case .unattributed: return "\(expired), and nobody asked before the line came back"
    case .grace: return "grace_period_expires_date in \(days((gracePeriodExpires ?? t) - t)), \(expired)"
    case .billingRetry:
      let left = days(expires + billingRetryMilliseconds - t)
      return "is_in_billing_retry_period = 1, \(expired), \(left) of 60 left"
    case .revoked:
      let row = "transaction \(refundedTransactionID?.rawValue ?? "unknown")"
      let cancelled = "cancellation_date \(ago(t - (cancellationDate ?? expires)))"
      let reach = (refundedExpires ?? expires).minuteText
      return
        "\(row) \(cancelled), cancellation_reason = \(cancellationReason ?? "none"), "
        + (isLive ? "reaching beyond the current row: its expires_date is \(reach) UTC" : "no live row")
    case .expired:
      guard isLive else { return "every row was upgraded away" }
      let intent = expirationIntent.map { "expiration_intent = \($0.rawValue) (\($0.name))" }
      let isStale = isInBillingRetryPeriod == true && t >= expires + billingRetryMilliseconds
      let retry = isStale ? ", is_in_billing_retry_period = 1 is older than Apple's 60 days" : ""
      return "\(expired), \(intent ?? "no expiration_intent: reason unknown")\(retry)"
    }
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

func ago(_ milliseconds: Int64) -> String {
  milliseconds >= 0 ? "\(days(milliseconds)) ago" : "in \(days(milliseconds))"
}
