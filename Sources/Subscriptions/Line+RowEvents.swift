extension Line {
  /// Purchases of rows, and changes of their ends.
  var rowEvents: [LineEvent] {
    let replaced = Dictionary(
      rows.compactMap { row in row.upgrade?.successorID.map { ($0, row) } },
      uniquingKeysWith: { first, _ in first })
    var events: [LineEvent] = []
    var trialEnd: Instant?
    for index in rows.indices {
      let row = rows[index]
      var start = start(of: row, before: index > 0 ? rows[index - 1] : nil, replacing: replaced[row.id])
      if row.kind.isPaid {
        start.isTrialConversion = trialEnd.map { row.purchase <= $0 + Milliseconds.day } ?? false
        trialEnd = nil
      } else {
        trialEnd = row.effectiveEnd
      }
      events.append(start)
      events += row.endings(validatedAt: validatedAt).map { ending in
        event(
          ending.type, ending.apple, reason: ending.reason, row: row, effectiveAt: ending.effectiveAt,
          observedAt: ending.observedAt, observedAfter: ending.observedAfter)
      }
    }
    return events
  }

  private func start(of row: Row, before: Row?, replacing old: Row?) -> LineEvent {
    if let old {
      return event(
        .productChange, "DID_CHANGE_RENEWAL_PREF/UPGRADE", row: row, product: old.productID,
        newProduct: row.productID, effectiveAt: row.purchase)
    }
    if let change = row.change, !row.arrival.isReturn {
      return event(
        .productChange, "DID_RENEW", row: row, product: change.from, newProduct: row.productID,
        effectiveAt: row.purchase)
    }
    let (type, apple, reason): (LineEvent.Kind, String, String?) =
      switch row.arrival {
      case .initial: (.initialPurchase, "SUBSCRIBED/INITIAL_BUY", nil)
      case .renewal where row.redeemsOffer(after: before): (.offerRedeemed, "OFFER_REDEEMED", nil)
      case .renewal: (.renewal, isRecoveredInGrace(row) ? "DID_RENEW/BILLING_RECOVERY" : "DID_RENEW", nil)
      case .recovery: (.renewal, "DID_RENEW/BILLING_RECOVERY", nil)
      case .unattributed: (.resubscribe, "SUBSCRIBED/RESUBSCRIBE", "UNATTRIBUTED")
      case .reactivation: (.resubscribe, "SUBSCRIBED/RESUBSCRIBE", nil)
      }
    return event(type, apple, reason: reason, row: row, effectiveAt: row.purchase)
  }

  /// A recovery in grace usually keeps the billing day. Then only a snapshot between the renewal's start and
  /// its first sighting shows it.
  private func isRecoveredInGrace(_ row: Row) -> Bool {
    if timeline.position(at: row.purchase - 1)?.state == .grace { return true }
    guard let seen = row.sighting?.first else { return false }
    return renewals.contains {
      $0.observedAt >= row.purchase && $0.observedAt < seen && $0.info.isInBillingRetryPeriod == true
    }
  }
}

extension Row {
  /// An existing subscriber must have redeemed an offer that begins with the row.
  fileprivate func redeemsOffer(after before: Row?) -> Bool {
    (kind == .promo || kind == .code) && transaction.offer != before?.transaction.offer
  }
}
