extension Line {
  /// The line's feed, derived from its rows and renewal infos: the same however often it is derived.
  public var events: [LineEvent] {
    rowEvents + renewalEvents + (expiration.map { [$0] } ?? [])
  }

  private var chain: OriginalTransactionID { id.originalTransactionID }

  // MARK: What the rows say

  private var rowEvents: [LineEvent] {
    let replaced = Dictionary(
      rows.compactMap { row in row.upgrade?.successorID.map { ($0, row) } },
      uniquingKeysWith: { first, _ in first })
    return rows.indices.flatMap { index in
      let row = rows[index]
      return [start(of: row, after: rows[..<index], replacing: replaced[row.id]), cancellation(of: row)]
        .compactMap(\.self)
    }
  }

  private func start(of row: Row, after earlier: ArraySlice<Row>, replacing old: Row?) -> LineEvent {
    if let old {
      return event(
        .productChange, "DID_CHANGE_RENEWAL_PREF/UPGRADE", row: row, product: old.productID,
        newProduct: row.productID, effectiveAt: old.upgrade?.instant ?? row.purchase)
    }
    guard let end = earlier.lazy.map(\.effectiveEnd).max() else {
      return event(.initialPurchase, "SUBSCRIBED/INITIAL_BUY", row: row, effectiveAt: row.purchase)
    }
    if let change = row.change {
      return event(
        .productChange, "DID_RENEW", row: row, product: change.from, newProduct: row.productID,
        effectiveAt: row.purchase)
    }
    if row.purchase <= end + Milliseconds.day {
      return event(.renewal, "DID_RENEW", row: row, effectiveAt: row.purchase)
    }
    if row.purchase <= end + billingRetryMilliseconds, sawBillingTrouble(from: end, to: row.purchase) {
      return event(.renewal, "DID_RENEW/BILLING_RECOVERY", row: row, effectiveAt: row.purchase)
    }
    return event(.resubscribe, "SUBSCRIBED/RESUBSCRIBE", row: row, effectiveAt: row.purchase)
  }

  /// METRICS §4, Return after a gap: only a snapshot taken in between tells a recovery from a fresh purchase.
  private func sawBillingTrouble(from start: Instant, to end: Instant) -> Bool {
    renewals.contains {
      $0.observedAt > start && $0.observedAt < end
        && ($0.info.isInBillingRetryPeriod == true || $0.info.expirationIntent == .billingError)
    }
  }

  private func cancellation(of row: Row) -> LineEvent? {
    guard let refunded = row.refundedAt else { return nil }
    return row.isRefund
      ? event(
        .cancellation, "REFUND", reason: "CUSTOMER_SUPPORT", row: row, effectiveAt: refunded,
        observedAt: row.sighting?.latest)
      : event(.revoke, "REVOKE", row: row, effectiveAt: refunded, observedAt: row.sighting?.latest)
  }

  private func event(
    _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, row: Row, product: ProductID? = nil,
    newProduct: ProductID? = nil, effectiveAt: Instant, observedAt: Instant? = nil
  ) -> LineEvent {
    LineEvent(
      type, apple: apple, reason: reason, chain: chain, transaction: row.id,
      product: product ?? row.productID,
      newProduct: newProduct, effectiveAt: effectiveAt,
      observedAt: observedAt ?? row.sighting?.first ?? validatedAt ?? effectiveAt)
  }

  // MARK: What changes of the renewal info say

  private var renewalEvents: [LineEvent] {
    let told = Set(renewals.map(\.observedAt)).sorted().compactMap(renewal(observedAt:))
    return zip(told, told.dropFirst()).flatMap { changes(from: $0.info, to: $1) }
  }

  /// What one answer said of this line: METRICS §2, Renewal info P, since it may speak of other lines of the chain too.
  private func renewal(observedAt t: Instant) -> RenewalObservation? {
    guard let current = phase(at: t)?.current ?? rows.first, let info = renewalInfo(for: current, at: t)
    else {
      return nil
    }
    return renewals.last { $0.observedAt == t && $0.info == info }
  }

  private func changes(from old: RenewalInfo, to observation: RenewalObservation) -> [LineEvent] {
    let new = observation.info
    guard let product = new.productID ?? old.productID ?? rows.last?.productID else { return [] }
    func event(
      _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, newProduct: ProductID? = nil
    ) -> LineEvent {
      LineEvent(
        type, apple: apple, reason: reason, chain: chain, product: product, newProduct: newProduct,
        effectiveAt: observation.observedAt, observedAt: observation.observedAt,
        observedAfter: observation.observedAfter)
    }
    var events: [LineEvent] = []
    if old.autoRenewStatus == true, new.autoRenewStatus == false {
      events.append(
        event(.cancellation, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", reason: "UNSUBSCRIBE"))
    }
    if old.autoRenewStatus == false, new.autoRenewStatus == true {
      events.append(event(.uncancellation, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"))
    }
    if old.isInBillingRetryPeriod != true, new.isInBillingRetryPeriod == true {
      let hasGrace = new.gracePeriodExpiresDate.map { $0 > observation.observedAt } ?? false
      events.append(
        event(.billingIssue, "DID_FAIL_TO_RENEW" + (hasGrace ? "/GRACE_PERIOD" : ""), reason: "BILLING_ERROR")
      )
    }
    if old.priceConsentStatus != "0", new.priceConsentStatus == "0" {
      events.append(event(.priceConsentPending, "PRICE_INCREASE/PENDING"))
    }
    if old.priceConsentStatus == "0", new.priceConsentStatus == "1" {
      events.append(event(.priceConsentAccepted, "PRICE_INCREASE/ACCEPTED"))
    }
    if let next = new.autoRenewProductID, next != product, next != old.autoRenewProductID,
      new.autoRenewStatus == true
    {
      events.append(event(.productChange, "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", newProduct: next))
    }
    return events
  }

  // MARK: What the clock says, once a validation has confirmed it

  private var expiration: LineEvent? {
    let gone = lastWord(by: .distantFuture).map { max($0, rows.map(\.expires).max() ?? $0) }
    guard let t = gone ?? validatedAt, let verdict = verdict(at: t), verdict.state == .expired else {
      return nil
    }
    let (apple, reason) =
      switch verdict.expirationIntent {
      case .customerCancelled?: ("EXPIRED/VOLUNTARY", "UNSUBSCRIBE")
      case .billingError?: ("EXPIRED/BILLING_RETRY", "BILLING_ERROR")
      case .customerDidNotConsentToPriceIncrease?: ("EXPIRED/PRICE_INCREASE", "PRICE_INCREASE")
      case .productNotAvailable?: ("EXPIRED/PRODUCT_NOT_FOR_SALE", "UNKNOWN")
      case .other?, .unknown?, nil: ("EXPIRED", "UNKNOWN")
      }
    return LineEvent(
      .expiration, apple: apple, reason: reason, chain: chain, transaction: verdict.current.id,
      product: verdict.current.productID, effectiveAt: verdict.accessUntil,
      observedAt: firstEvidence(from: verdict.accessUntil))
  }

  /// The first thing that was learnt at or after an end. Validations without news leave no trace: where there is none,
  /// the end itself.
  private func firstEvidence(from end: Instant) -> Instant {
    if let gone = lastWord(by: .distantFuture) { return gone }
    let sightings = rows.compactMap(\.sighting).flatMap { [$0.first, $0.latest] }
    return (renewals.map(\.observedAt) + sightings).filter { $0 >= end }.min() ?? end
  }
}
