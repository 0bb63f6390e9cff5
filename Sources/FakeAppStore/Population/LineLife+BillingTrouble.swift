import Subscriptions

/// Failed renewals, see *Reducing involuntary subscriber churn*.
extension LineLife {
  mutating func billingTrouble(after term: Term) -> Term? {
    let failed = term.expires
    let grace = graceEnd(of: term)
    var info = renewing(term)
    info.isInBillingRetryPeriod = true
    info.gracePeriodExpiresDate = grace
    // Apple has been observed to report a retry without its reason.
    info.expirationIntent = random.chance(0.05) ? nil : .billingError
    say(info, from: failed)

    if let turn = cardTrouble(after: term, said: info, grace: grace) { return turn.next }
    let outcome = random.unit()
    if outcome < 0.42, let grace {
      return recovery(of: term, at: instant(from: failed, to: grace), startsAtExpiry: true)
    }
    if outcome < 0.72 {
      return recovery(
        of: term, at: instant(from: grace ?? failed, to: retryEnd(of: term)), startsAtExpiry: false)
    }
    if outcome < 0.77 { return cancels(in: term, said: info, grace: grace) }
    return failsForGood(term, said: info)
  }

  /// Returns the recovered period. Paid within the grace period, it begins at the old expiry; paid later, it
  /// begins after a gap.
  mutating func recovery(of term: Term, at paid: Instant, startsAtExpiry: Bool) -> Term {
    renewals += 1
    return customer.term(
      term.product, at: startsAtExpiry ? term.expires : paid, shown: paid, isRenewal: true)
  }

  /// Cancels during retry, which stops it. In the grace period, Apple also removes the entry from
  /// `pending_renewal_info`.
  private mutating func cancels(in term: Term, said: RenewalInfo, grace: Instant?) -> Term? {
    let at = instant(from: term.expires, to: grace ?? term.expires + 30 * Milliseconds.day)
    guard grace == nil else {
      say(nil, from: at)
      return comeback(to: term.product, after: at)
    }
    var info = said
    info.autoRenewStatus = false
    info.isInBillingRetryPeriod = false
    info.expirationIntent = .customerCancelled
    say(info, from: at)
    return comeback(to: term.product, after: at)
  }

  /// Ends the retry without payment: after 60 days, or within weeks if the account can never pay again. The
  /// grace date remains.
  mutating func failsForGood(_ term: Term, said: RenewalInfo) -> Term? {
    let last = retryEnd(of: term)
    let early = min(last, (graceEnd(of: term) ?? term.expires) + 14 * Milliseconds.day)
    let end = random.chance(0.4) ? instant(from: graceEnd(of: term) ?? term.expires, to: early) : last
    var info = said
    info.isInBillingRetryPeriod = false
    info.expirationIntent = .billingError
    info.autoRenewStatus = random.chance(0.4)
    say(info, from: end)
    return comeback(to: term.product, after: end)
  }

  /// Grace requires a paid period before, and is not used in the sandbox.
  func graceEnd(of term: Term) -> Instant? {
    guard term.product.graceDays > 0, !term.isTrial, !customer.isSandbox,
      customer.stories == nil || Stories.hasGrace(term.product)
    else { return nil }
    return PacificTime.adding(Period(Int(term.product.graceDays), .day), to: term.expires)
  }

  private func retryEnd(of term: Term) -> Instant {
    term.expires + (customer.isSandbox ? 10 * Milliseconds.minute : 60 * Milliseconds.day)
  }

  mutating func instant(from first: Instant, to last: Instant) -> Instant {
    return (first + max(Milliseconds.second, Int64(Double(last - first) * random.unit()))).wholeSecond
  }
}
