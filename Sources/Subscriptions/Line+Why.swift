extension Line {
  /// The rule of METRICS §3 that decided on a span's state and the fields it read, for a person.
  func why(_ span: Span, at t: Instant) -> String {
    let row = rows[span.position.row]
    let expired = "expired \(Milliseconds.ago(t - row.expires))"
    switch span.position.state {
    case .trial, .active:
      return FigureReason.running(span.position.state, row.kind, expires: row.expires, at: t)
    case .overdue:
      let seen =
        validatedAt.map { "last validated \(Milliseconds.ago(t - $0)), before that expiry" }
        ?? "never validated"
      return "\(expired), \(seen)"
    case .unattributed: return "\(expired), and nobody asked before it came back"
    case .grace: return "grace_period_expires_date in \(Milliseconds.text(span.accessEnd - t)), \(expired)"
    case .billingRetry:
      let left = Milliseconds.text(row.expires + billingRetryMilliseconds - t)
      return "is_in_billing_retry_period = 1, \(expired), \(left) of 60 left"
    case .revoked: return why(revokedBy: row, at: t)
    case .expired: return "\(why(expired: row, span, at: t))\(gone(at: t))"
    }
  }

  private func why(revokedBy row: Row, at t: Instant) -> String {
    let cancelled = "cancellation_date \(Milliseconds.ago(t - (row.refundedAt ?? row.expires)))"
    let reason = row.transaction.cancellationReason ?? "none"
    let rest =
      rows.contains { $0.isLive(at: t) }
      ? "reaching beyond the current row: its expires_date is \(row.expires.minuteText) UTC" : "no live row"
    return "transaction \(row.id) \(cancelled), cancellation_reason = \(reason), \(rest)"
  }

  private func why(expired row: Row, _ span: Span, at t: Instant) -> String {
    guard row.isLive(at: t) else { return "every row was upgraded away" }
    let renewal = span.renewal.map { renewals[$0].info }
    let intent = span.position.reason?.intent.map { intent in
      renewal?.expirationIntent == intent
        ? "expiration_intent = \(intent.rawValue) (\(intent.name))"
        : "notified as \(LossReason.intent(intent).eventNames.apple) (\(intent.name))"
    }
    let isStale =
      renewal?.isInBillingRetryPeriod == true && t >= row.expires + billingRetryMilliseconds
    let retry = isStale ? ", is_in_billing_retry_period = 1 is older than Apple's 60 days" : ""
    return
      "expired \(Milliseconds.ago(t - row.expires)), \(intent ?? "no expiration_intent: reason unknown")\(retry)"
  }

  /// METRICS §1.6.
  private func gone(at t: Instant) -> String {
    lastWord.map { "; status 21010 \(Milliseconds.ago(t - $0)): the account is gone" } ?? ""
  }
}
