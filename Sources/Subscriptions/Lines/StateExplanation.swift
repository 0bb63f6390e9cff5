/// State of a line at an instant, with the fields that decided it.
public struct StateExplanation: Hashable, Sendable {
  public var state: LineState
  /// Deciding fields as text: `is_in_billing_retry_period = 1, expired 9 d ago, 51 d of 60 left`.
  public var why: String
  public var reason: LossReason?
  public var current: Row
  public var renewal: RenewalInfo?
  public var accessUntil: Instant

  public var expirationIntent: ExpirationIntent? { reason?.intent }
  public var autoRenew: Bool? { renewal?.autoRenewStatus }
  public var priceConsentPending: Bool { renewal?.consent == false }
  public var changePending: Bool { renewal?.changes(from: current.productID) ?? false }
}

extension Line {
  /// Returns the state at an instant; `nil` before the first purchase.
  public func verdict(at t: Instant) -> StateExplanation? {
    guard let span = timeline.span(at: t) else { return nil }
    return StateExplanation(
      state: span.position.state, why: why(span, at: t), reason: span.position.reason,
      current: rows[span.position.row], renewal: span.renewal.map { renewals[$0].info },
      accessUntil: span.accessEnd)
  }
}
