/// What holds for a line at an instant, with the rule that decided and the fields it read.
public struct Verdict: Hashable, Sendable {
  public var state: LineState
  /// The rule and the fields, for a person: `is_in_billing_retry_period = 1, expired 9 d ago, 51 d of 60 left`.
  public var why: String
  /// Why the line is out; nil in every other state.
  public var reason: LossReason?
  /// The refunded row where the state is `revoked`.
  public var current: Row
  public var renewal: RenewalInfo?
  /// METRICS §3, Access end.
  public var accessUntil: Instant

  /// Why an expired line ended; nil for any other state and where Apple did not say.
  public var expirationIntent: ExpirationIntent? { reason?.intent }
  public var autoRenew: Bool? { renewal?.autoRenewStatus }
  public var priceConsentPending: Bool { renewal?.consent == false }
  /// METRICS §3: whether the line will renew as another product.
  public var changePending: Bool { renewal?.changes(from: current.productID) ?? false }
}

extension LossReason {
  public var intent: ExpirationIntent? { if case .intent(let intent) = self { intent } else { nil } }
}

extension Line {
  /// The verdict at an instant, by everything that is known; nil before the first purchase.
  public func verdict(at t: Instant) -> Verdict? {
    guard let span = timeline.span(at: t) else { return nil }
    return Verdict(
      state: span.position.state, why: why(span, at: t), reason: span.position.reason,
      current: rows[span.position.row], renewal: span.renewal.map { renewals[$0].info },
      accessUntil: span.accessEnd)
  }
}
