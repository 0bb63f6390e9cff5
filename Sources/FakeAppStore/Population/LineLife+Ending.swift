import Subscriptions

/// Ends of periods: renewal, change of plan, cancellation or failure.
extension LineLife {
  mutating func ending(of term: Term, odds: Odds) -> Term? {
    if customer.isSandbox, renewals >= 12 {
      return lapse(term, .customerCancelled, switchedOff: term.expires)
    }
    if random.chance(odds.switchesOff) {
      let at = term.instant(between: 0.01, and: 0.85, &random)
      return lapse(term, .customerCancelled, switchedOff: at)
    }
    if random.chance(odds.billingFails) { return billingTrouble(after: term) }
    if random.chance(odds.productIsGone) { return lapse(term, .productNotAvailable, switchedOff: nil) }
    if random.chance(odds.endsForOtherReasons) { return lapse(term, .other, switchedOff: nil) }
    if let turn = priceRise(at: term) { return turn }
    if random.chance(odds.isAskedForConsent) { return priceIncrease(at: term) }
    if random.chance(odds.switchesOffAndOn) { switchOffAndOn(in: term) }
    if random.chance(odds.plansChange), let next = plannedChange(after: term) { return next }
    if random.chance(odds.isGivenOffer), let next = offeredRenewal(of: term) { return next }
    return renewal(of: term, as: term.product)
  }

  mutating func renewal(of term: Term, as product: FakeProduct, _ offer: Offer = .standard) -> Term {
    renewals += 1
    return customer.term(
      product, offer, at: term.expires, shown: term.renewalShown(&random), isRenewal: true)
  }

  /// Ends the subscription when the period expires, and returns the first period after a comeback, if any.
  mutating func lapse(_ term: Term, _ intent: ExpirationIntent, switchedOff: Instant?) -> Term? {
    if let switchedOff { show(renewing(term), from: switchedOff) { $0.autoRenewStatus = false } }
    show(renewing(term), from: term.expires) { $0.end(intent, renews: intent == .productNotAvailable) }
    return comeback(to: term.product, after: term.expires)
  }

  /// Asks for consent to a higher price; without consent, the line ends with expiration intent 3.
  private mutating func priceIncrease(at term: Term) -> Term? {
    let asked = max(
      term.instant(between: 0.2, and: 0.5, &random),
      term.visibleFrom + min(Milliseconds.hour, term.length / 10))
    let isAgreed = random.chance(0.6)
    let agreed =
      isAgreed ? max(term.instant(between: 0.5, and: 0.85, &random), asked + Milliseconds.minute) : nil
    return askForConsent(in: term, at: asked, agreed: agreed)
  }

  mutating func askForConsent(in term: Term, at asked: Instant, agreed: Instant?) -> Term? {
    let info = show(renewing(term), from: asked) {
      ($0.priceConsentStatus, $0.priceIncreaseStatus) = ("0", "0")
    }
    guard let agreed else {
      show(info, from: term.expires) { $0.end(.customerDidNotConsentToPriceIncrease) }
      return comeback(to: term.product, after: term.expires)
    }
    show(info, from: agreed) { ($0.priceConsentStatus, $0.priceIncreaseStatus) = ("1", "1") }
    return renewal(of: term, as: term.product)
  }

  private mutating func switchOffAndOn(in term: Term) {
    let off = term.instant(between: 0.05, and: 0.25, &random)
    show(renewing(term), from: off) { $0.autoRenewStatus = false }
    show(renewing(term), from: term.instant(between: 0.26, and: 0.5, &random))
  }

  /// Plans a change of product at the renewal, which some customers undo.
  ///
  /// Before the renewal, only `auto_renew_product_id` shows the change.
  private mutating func plannedChange(after term: Term) -> Term? {
    guard let target = random.pick(term.product.changes(atOnce: false), weight: \.popularity) else {
      return nil
    }
    let planned = term.instant(between: 0.5, and: 0.7, &random)
    show(renewing(term), from: planned) { $0.autoRenewProductID = target.id }
    guard random.chance(0.85) else {
      show(renewing(term), from: term.instant(between: 0.7, and: 0.85, &random))
      return renewal(of: term, as: term.product)
    }
    return renewal(of: term, as: target)
  }

  private mutating func offeredRenewal(of term: Term) -> Term? {
    guard let promotion = term.product.promotions.last else { return nil }
    let offered = term.instant(between: 0.5, and: 0.85, &random)
    show(renewing(term), from: offered) { $0.promotionalOfferID = promotion }
    return renewal(of: term, as: term.product, .promo(promotion))
  }
}

/// Renewals that failed because of billing: *Reducing involuntary subscriber churn*.
extension LineLife {
  mutating func billingTrouble(after term: Term) -> Term? {
    let failed = term.expires
    let grace = graceEnd(of: term)
    // Apple sometimes reports billing retry without an expiration intent.
    let intent = random.chance(0.05) ? nil : ExpirationIntent.billingError
    let info = show(renewing(term), from: failed) { $0.fail(intent, grace: grace) }
    if let turn = cardTrouble(after: term, info: info, grace: grace) { return turn }
    let outcome = random.unit()
    if outcome < 0.42, let grace {
      return recovery(of: term, at: instant(from: failed, to: grace), startsAtExpiry: true)
    }
    if outcome < 0.72 {
      return recovery(
        of: term, at: instant(from: grace ?? failed, to: retryEnd(of: term)), startsAtExpiry: false)
    }
    if outcome < 0.77 { return cancels(in: term, info: info, grace: grace) }
    return failsForGood(term, info: info)
  }

  /// Returns the period after a late payment, from the expiry if `startsAtExpiry`, else from the payment.
  mutating func recovery(of term: Term, at paid: Instant, startsAtExpiry: Bool) -> Term {
    renewals += 1
    return customer.term(
      term.product, at: startsAtExpiry ? term.expires : paid, shown: paid, isRenewal: true)
  }

  /// Cancels during billing retry, which then ends; in the grace period, Apple also removes the renewal info.
  private mutating func cancels(in term: Term, info: RenewalInfo, grace: Instant?) -> Term? {
    let at = instant(from: term.expires, to: grace ?? term.expires + 30 * Milliseconds.day)
    if grace == nil {
      show(info, from: at) { $0.end(.customerCancelled) }
    } else {
      show(nil, from: at)
    }
    return comeback(to: term.product, after: at)
  }

  /// Ends the line when retries stop: at `retryEnd` or, for some lines, within 14 days after period or grace.
  mutating func failsForGood(_ term: Term, info: RenewalInfo) -> Term? {
    let last = retryEnd(of: term)
    let early = min(last, (graceEnd(of: term) ?? term.expires) + 14 * Milliseconds.day)
    let end = random.chance(0.4) ? instant(from: graceEnd(of: term) ?? term.expires, to: early) : last
    let renews = random.chance(0.4)
    show(info, from: end) { $0.end(.billingError, renews: renews) }
    return comeback(to: term.product, after: end)
  }

  /// Returns the end of the grace period; `nil` for trials and in the sandbox, or if the plan has none.
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

extension RenewalInfo {
  mutating func fail(_ intent: ExpirationIntent?, grace: Instant?) {
    (isInBillingRetryPeriod, gracePeriodExpiresDate, expirationIntent) = (true, grace, intent)
  }

  /// Ends the subscription; if `renews`, auto-renew stays on, as Apple sometimes reports.
  mutating func end(_ intent: ExpirationIntent, renews: Bool = false) {
    (autoRenewStatus, isInBillingRetryPeriod, expirationIntent) = (renews, false, intent)
  }
}
