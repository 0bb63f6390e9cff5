extension Line {
  /// What the clock said, where a validation has confirmed it: ends of access that nothing followed in time, and ends of
  /// grace.
  var lapseEvents: [LineEvent] {
    let past = rows.filter(\.arrival.isReturn).compactMap { row in
      verdict(at: row.purchase - 1).flatMap { $0.state == .expired ? expiration($0) : nil }
    }
    return past + (expiration.map { [$0] } ?? [])
  }

  private var expiration: LineEvent? {
    let gone = lastWord(by: .distantFuture).map { max($0, rows.map(\.expires).max() ?? $0) }
    guard let t = gone ?? validatedAt, let verdict = verdict(at: t), verdict.state == .expired else {
      return nil
    }
    return expiration(verdict, observedAt: lastWord(by: .distantFuture))
  }

  private func expiration(_ verdict: Verdict, observedAt: Instant? = nil) -> LineEvent {
    let (apple, reason) =
      switch verdict.expirationIntent {
      case .customerCancelled?: ("EXPIRED/VOLUNTARY", "UNSUBSCRIBE")
      case .billingError?: ("EXPIRED/BILLING_RETRY", "BILLING_ERROR")
      case .customerDidNotConsentToPriceIncrease?: ("EXPIRED/PRICE_INCREASE", "PRICE_INCREASE")
      case .productNotAvailable?: ("EXPIRED/PRODUCT_NOT_FOR_SALE", "PRODUCT_UNAVAILABLE")
      case .other?, .unknown?, nil: ("EXPIRED", "UNKNOWN")
      }
    return event(
      .expiration, apple, reason: reason, row: verdict.current, effectiveAt: verdict.accessUntil,
      observedAt: observedAt ?? firstEvidence(from: verdict.accessUntil))
  }

  /// A grace period that ended without a renewal, once something was learnt after it.
  var gracePeriodEvents: [LineEvent] {
    let ends = Set(renewals.compactMap(\.info.gracePeriodExpiresDate)).sorted()
    return ends.compactMap { end in
      guard let validatedAt, validatedAt >= end, let phase = phase(at: end), phase.isLive,
        phase.current.expires < end,
        renewals.contains(where: {
          $0.observedAt >= phase.current.expires && $0.observedAt <= end
            && $0.info.gracePeriodExpiresDate == end
        })
      else { return nil }
      return event(
        .gracePeriodExpired, "GRACE_PERIOD_EXPIRED", reason: "BILLING_ERROR", row: phase.current,
        effectiveAt: end,
        observedAt: firstEvidence(from: end))
    }
  }
}
