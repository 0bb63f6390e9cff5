extension Line {
  /// The line's feed, derived from its rows, renewal infos and notifications: the same however often it is derived.
  public var events: [LineEvent] {
    let evidence = EvidenceTimes(self)
    let told = rowEvents + renewalEvents + gracePeriodEvents(evidence)
    return naming(changesIn: told, evidence).merged(with: notifications, row: row(of:)) {
      LineEvent($0, of: self)
    }.located(by: rows.map(\.transaction))
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
    event.move(row.price?.amount, row.transaction.terms)
    return event
  }
}

extension [LineEvent] {
  /// With the storefronts of their transactions.
  func located(by transactions: [Transaction]) -> [LineEvent] {
    let known = transactions.compactMap { row in row.terms?.storefront.map { (row.transactionID, $0) } }
    guard !known.isEmpty else { return self }
    let storefronts = Dictionary(known, uniquingKeysWith: { first, _ in first })
    return map { event in
      var event = event
      event.storefront = event.transactionID.flatMap { storefronts[$0] }
      return event
    }
  }
}

extension PeriodKind {
  /// The `period_type` of RevenueCat's webhooks.
  var periodType: String {
    switch self {
    case .trial: "TRIAL"
    case .intro: "INTRO"
    case .code, .promo, .winback: "PROMOTIONAL"
    case .standard: "NORMAL"
    }
  }
}
