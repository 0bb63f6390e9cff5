extension Line {
  /// The line's feed, derived from its rows, renewal infos and notifications: the same however often it is derived.
  public var events: [LineEvent] {
    (rowEvents + lapseEvents + renewalEvents + gracePeriodEvents).merged(
      with: notifications, row: row(of:)
    ) { LineEvent($0, of: self) }
  }

  var chain: OriginalTransactionID { id.originalTransactionID }

  /// An event about a row.
  func event(
    _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, row: Row, product: ProductID? = nil,
    newProduct: ProductID? = nil, effectiveAt: Instant, observedAt: Instant? = nil,
    observedAfter: Instant? = nil
  ) -> LineEvent {
    var event = LineEvent(
      type, apple: apple, reason: reason, environment: id.environment, chain: chain, transaction: row.id,
      product: product ?? row.productID, newProduct: newProduct, effectiveAt: effectiveAt,
      observedAt: observedAt ?? row.sighting?.first ?? validatedAt ?? effectiveAt,
      observedAfter: observedAfter)
    event.isFamilyShare = isFamilyShared
    event.periodType = row.kind.periodType
    event.price = row.price.flatMap { price in
      event.priceSign == 0
        ? nil : Money(micros: price.amount.micros * event.priceSign, currency: price.amount.currency)
    }
    return event
  }

  /// The first thing that was learnt at or after an instant. Validations without news leave no trace: where there is none,
  /// the instant itself.
  func firstEvidence(from instant: Instant) -> Instant {
    let sightings = rows.compactMap(\.sighting).flatMap { [$0.first, $0.latest] }
    return (renewals.map(\.observedAt) + sightings).filter { $0 >= instant }.min() ?? instant
  }
}

extension PeriodKind {
  /// The `period_type` of RevenueCat's webhooks.
  var periodType: String {
    switch self {
    case .trial: "TRIAL"
    case .intro: "INTRO"
    case .code, .promo: "PROMOTIONAL"
    case .standard: "NORMAL"
    }
  }
}
