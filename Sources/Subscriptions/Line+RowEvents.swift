extension Line {
  /// What the rows say, and how their ends changed while they were watched.
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
      events += endings(of: row)
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

  /// A recovery within grace mostly keeps the billing day: then only a snapshot taken between the renewal's start and its sighting tells.
  private func isRecoveredInGrace(_ row: Row) -> Bool {
    if timeline.position(at: row.purchase - 1)?.state == .grace { return true }
    guard let seen = row.sighting?.first else { return false }
    return renewals.contains {
      $0.observedAt >= row.purchase && $0.observedAt < seen && $0.info.isInBillingRetryPeriod == true
    }
  }

  /// Refunds and revocations, also such as were taken back; and periods that Apple or the developer made longer.
  private func endings(of row: Row) -> [LineEvent] {
    let last = row.endsHistory.last
    let present = EndsObservation(
      ends: row.transaction.ends, from: last?.from ?? row.sighting?.latest ?? validatedAt ?? row.purchase,
      through: last?.through ?? validatedAt ?? row.purchase)
    // A duplicate's refund is the row's too, though its own history does not show it.
    let history = row.endsHistory.dropLast() + [present]
    var events: [LineEvent] = []
    var before: EndsObservation?
    // A refund whose date changes is one refund, dated by the newest word.
    var refund: LineEvent?
    for seen in history {
      if let cancelled = seen.ends.refundDate {
        if cancelled != before?.ends.refundDate {
          refund = cancellation(of: row, at: cancelled, observedAt: seen.from)
        }
      } else if let told = refund {
        events.append(told)
        refund = nil
      }
      if let before { events += changes(of: row, from: before, to: seen) }
      before = seen
    }
    return events + [refund].compactMap(\.self)
  }

  private func cancellation(of row: Row, at cancelled: Instant, observedAt: Instant) -> LineEvent {
    isFamilyShared
      ? event(.revoke, "REVOKE", row: row, effectiveAt: cancelled, observedAt: observedAt)
      : event(
        .cancellation, "REFUND", reason: "CUSTOMER_SUPPORT", row: row, effectiveAt: cancelled,
        observedAt: observedAt)
  }

  private func changes(of row: Row, from old: EndsObservation, to new: EndsObservation) -> [LineEvent] {
    var events: [LineEvent] = []
    if old.ends.refundDate != nil, new.ends.cancellationDate == nil, !isFamilyShared {
      events.append(
        event(
          .refundReversed, "REFUND_REVERSED", row: row, effectiveAt: new.from, observedAt: new.from,
          observedAfter: old.through))
    }
    if let was = old.ends.expiresDate, let now = new.ends.expiresDate, now > was {
      events.append(
        event(
          .subscriptionExtended, "RENEWAL_EXTENDED", row: row, effectiveAt: new.from, observedAt: new.from,
          observedAfter: old.through))
    }
    return events
  }
}

extension PeriodEnds {
  /// METRICS §2, Refunded: a cancellation that is not an upgrade.
  fileprivate var refundDate: Instant? { isUpgraded ? nil : cancellationDate }
}

extension Row {
  /// Whether an offer begins with the row, which an existing subscriber must have redeemed.
  fileprivate func redeemsOffer(after before: Row?) -> Bool {
    (kind == .promo || kind == .code) && transaction.offer != before?.transaction.offer
  }
}
