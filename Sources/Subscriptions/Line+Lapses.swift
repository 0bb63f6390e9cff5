extension Line {
  /// METRICS §6: every change by which the line is out, but for refunds, which are events of their rows. The end of billing retry may
  /// lie ahead: the clock brings it.
  var lapseEvents: [LineEvent] {
    let changes = entries.compactMap(\.change)
    return changes.compactMap { change in
      guard change.kind.new.set == .out, let old = change.kind.old, old.set != .out,
        let reason = change.kind.new.reason, reason != .refunded
      else { return nil }
      // Status 21010 alone tells how the last period of a gone account ended.
      let told = change == changes.last ? lastWord : nil
      return expiration(
        change, reason, observedAt: told.map { max($0, change.at) } ?? firstEvidence(from: change.at))
    }
  }

  private func expiration(
    _ change: Change, _ lossReason: LossReason, observedAt: Instant
  ) -> LineEvent {
    let (apple, reason) =
      switch lossReason.intent {
      case .customerCancelled?: ("EXPIRED/VOLUNTARY", "UNSUBSCRIBE")
      case .billingError?: ("EXPIRED/BILLING_RETRY", "BILLING_ERROR")
      case .customerDidNotConsentToPriceIncrease?: ("EXPIRED/PRICE_INCREASE", "PRICE_INCREASE")
      case .productNotAvailable?: ("EXPIRED/PRODUCT_NOT_FOR_SALE", "PRODUCT_UNAVAILABLE")
      case .other?, .unknown?, nil: ("EXPIRED", "UNKNOWN")
      }
    return event(
      .expiration, apple, reason: reason, row: rows[change.newRow], effectiveAt: change.at,
      observedAt: observedAt)
  }

  /// A grace period that ended without a renewal, once something was learnt after it.
  var gracePeriodEvents: [LineEvent] {
    let ends = Set(renewals.compactMap(\.info.gracePeriodExpiresDate)).sorted()
    return ends.compactMap { end in
      guard let validatedAt, validatedAt >= end, let verdict = verdict(at: end),
        verdict.current.isLive(at: end),
        verdict.current.expires < end,
        renewals.contains(where: {
          $0.observedAt >= verdict.current.expires && $0.observedAt <= end
            && $0.info.gracePeriodExpiresDate == end
        })
      else { return nil }
      return event(
        .gracePeriodExpired, "GRACE_PERIOD_EXPIRED", reason: "BILLING_ERROR", row: verdict.current,
        effectiveAt: end, observedAt: firstEvidence(from: end))
    }
  }
}
