extension Line {
  /// Events of changes from one renewal info to the next; the first info can cause only a billing issue.
  var renewalEvents: [LineEvent] {
    let observations = Set(renewals.map(\.observedAt)).sorted().compactMap(renewal(observedAt:))
    return (observations.first.flatMap(firstTrouble).map { [$0] } ?? [])
      + zip(observations, observations.dropFirst()).flatMap { changes(from: $0.info, to: $1) }
      + consentEvents(observations)
  }

  /// Returns the events of price consent; the first info causes none, because its request may be older.
  private func consentEvents(_ observations: [RenewalObservation]) -> [LineEvent] {
    let positions = observations.map { timeline.position(at: $0.observedAt) }
    // Counts changes of the current row, because a row that becomes current again has a new consent request.
    var stay = 0
    let words = observations.indices.map { place -> ConsentWord in
      if place > 0, positions[place]?.row != positions[place - 1]?.row { stay += 1 }
      return (observations[place].info.consent, stay)
    }
    let known = Self.consentsKnown(words)
    return observations.indices.dropFirst().compactMap { place in
      let (observation, before) = (observations[place], known[place - 1])
      guard let consent = observation.info.consent, consent ? before == false : before != false,
        consent || positions[place]?.state.isRunning == true,
        let product = observation.info.productID ?? rows.last?.productID
      else { return nil }
      return consent
        ? event(.priceConsentAccepted, "PRICE_INCREASE/ACCEPTED", observation, product: product)
        : event(.priceConsentPending, "PRICE_INCREASE/PENDING", observation, product: product)
    }
  }

  private func firstTrouble(_ observation: RenewalObservation) -> LineEvent? {
    let t = observation.observedAt
    guard observation.info.isInBillingRetryPeriod == true,
      let current = timeline.span(at: t).map({ rows[$0.position.row] }),
      current.isLive(at: t), current.expires <= t
    else { return nil }
    var after = observation
    after.observedAfter = current.expires
    return billingIssue(after, product: observation.info.productID ?? current.productID)
  }

  private func billingIssue(_ observation: RenewalObservation, product: ProductID) -> LineEvent {
    let hasGrace = observation.info.gracePeriodExpiresDate.map { $0 > observation.observedAt } ?? false
    var event = event(
      .billingIssue, "DID_FAIL_TO_RENEW" + (hasGrace ? "/GRACE_PERIOD" : ""),
      reason: whyBillingFailed(at: observation.observedAt, reported: observation.info.expirationIntent),
      observation, product: product)
    if let place = failedRow(at: observation.observedAt) {
      (event.transactionID, event.productID) = (rows[place].id, rows[place].productID)
      event.periodType = rows[place].kind.periodType
      event.effectiveAt = failure(of: place, noticedAt: observation.observedAt)
    }
    return event
  }

  /// Returns the index of the row whose renewal failed at `t`.
  ///
  /// It is the current row or, if no validation had shown that row by `t`, the row before it.
  private func failedRow(at t: Instant) -> Int? {
    guard let place = timeline.position(at: t)?.row else { return nil }
    let isUnseen = rows[place].sighting.map { $0.first > t } ?? false
    return isUnseen && place > 0 && rows[place - 1].expires <= t ? place - 1 : place
  }

  /// Returns the instant at which the renewal of the row at index `place` failed.
  ///
  /// If the next row had begun by `t`, and at most a day before the row's expiry, this is the expiry or, if
  /// earlier, the next row's start. Otherwise, it is `t`.
  func failure(of place: Int, noticedAt t: Instant) -> Instant {
    guard let next = rows.dropFirst(place + 1).first, next.purchase <= t,
      next.purchase >= rows[place].expires - Milliseconds.day
    else { return t }
    return min(rows[place].expires, next.purchase)
  }

  private func event(
    _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, _ observation: RenewalObservation,
    product: ProductID, newProduct: ProductID? = nil
  ) -> LineEvent {
    var event = LineEvent(
      type, apple: apple, reason: reason, environment: id.environment, chain: chain, product: product,
      newProduct: newProduct, effectiveAt: observation.observedAt, observedAt: observation.observedAt,
      observedAfter: observation.observedAfter)
    event.isFamilyShare = isFamilyShared
    return event
  }

  /// Returns the line's renewal info from the answer at `t`, which may contain other lines' (METRICS §2).
  private func renewal(observedAt t: Instant) -> RenewalObservation? {
    guard let place = timeline.span(at: max(t, rows.first?.purchase ?? t))?.renewal,
      renewals[place].observedAt == t
    else { return nil }
    return renewals[place]
  }

  /// Returns why auto-renew is off: the customer's choice, or Apple's after a failed renewal, a removed
  /// product or a declined price increase.
  ///
  /// - Parameter intent: Apple's reason, ignored while a period is running.
  func whyAutoRenewIsOff(at t: Instant, reported intent: ExpirationIntent? = nil) -> String {
    let isRunning = rows.contains { $0.purchase <= t && t < $0.effectiveEnd }
    let place = timeline.position(at: t)?.row
    let isTurnedOnAgain =
      isRunning
      && renewals.contains { other in
        other.observedAt > t && other.info.autoRenewStatus == true
          && (place.map { other.observedAt < rows[$0].expires } ?? false)
      }
    let ended = isRunning ? intentOfEnd(of: place) : intent ?? intentOfEnd(of: place)
    guard let ended, ended.isApples, !isTurnedOnAgain, !(isRunning && ended == .billingError) else {
      return LossReason.intent(.customerCancelled).eventNames.reason
    }
    return LossReason.intent(ended).eventNames.reason
  }

  /// Returns the reason of a failed renewal: product removed, price increase declined, or else billing error.
  func whyBillingFailed(at t: Instant, reported intent: ExpirationIntent? = nil) -> String {
    let known = intent ?? intentOfEnd(of: timeline.position(at: t)?.row)
    let reason = known.flatMap { $0.isApples ? $0 : nil } ?? .billingError
    return LossReason.intent(reason).eventNames.reason
  }

  private func intentOfEnd(of row: Int?) -> ExpirationIntent? {
    timeline.spans.last { $0.position.row == row && $0.position.reason?.intent != nil }?.position.reason?
      .intent
  }

  private func changes(from old: RenewalInfo, to observation: RenewalObservation) -> [LineEvent] {
    let new = observation.info
    guard let product = new.productID ?? old.productID ?? rows.last?.productID else { return [] }
    func event(
      _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, newProduct: ProductID? = nil
    ) -> LineEvent {
      self.event(type, apple, reason: reason, observation, product: product, newProduct: newProduct)
    }
    var events: [LineEvent] = []
    if old.autoRenewStatus == true, new.autoRenewStatus == false {
      events.append(
        event(
          .cancellation, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
          reason: whyAutoRenewIsOff(at: observation.observedAt, reported: new.expirationIntent)))
    }
    if old.autoRenewStatus == false, new.autoRenewStatus == true {
      events.append(event(.uncancellation, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"))
    }
    if old.isInBillingRetryPeriod != true, new.isInBillingRetryPeriod == true {
      events.append(billingIssue(observation, product: product))
    }
    // After Apple has created the renewal, the info names the new product (METRICS §3, change_pending).
    let current = timeline.position(at: observation.observedAt).map { rows[$0.row].productID } ?? product
    if let next = new.autoRenewProductID, next != current, next != old.autoRenewProductID,
      new.autoRenewStatus == true
    {
      var change = event(.productChange, "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", newProduct: next)
      change.productID = current
      events.append(change)
    }
    return events
  }
}
