extension Line {
  /// Returns the events with the flows of their changes, and new events for changes that have no event.
  ///
  /// A change belongs to a purchase, a refund or an end of grace at the same instant, or to a billing issue
  /// observed at or after it (METRICS §5 and §6). Changes may be in the future.
  func naming(changesIn derived: [LineEvent], _ evidence: EvidenceTimes) -> [LineEvent] {
    let changes = entries.compactMap(\.change)
    var events = derived
    let byInstant = Dictionary(grouping: derived.indices) { derived[$0].effectiveAt }
    let issues = Dictionary(grouping: derived.indices.filter { derived[$0].type == .billingIssue }) {
      derived[$0].transactionID
    }
    // Figures do not count family-shared lines.
    func name(of flow: Flow) -> Flow? { isFamilyShared ? nil : flow }
    for change in changes {
      guard let flow = change.kind.flow else { continue }
      let place =
        change.isBillingIssue
        ? issues[rows[change.newRow].id]?.first {
          derived[$0].observedAt >= change.at && events[$0].flow == nil
        }
        : place(of: change, in: derived, among: byInstant[change.at] ?? [])
      if let place {
        events[place].flow = name(of: flow)
        events[place].effectiveAt = change.at
        events[place].observedAfter = events[place].observedAfter.map { max($0, change.at) }
      } else {
        // Only status 21010 shows how the last period of a deleted account ended.
        let last = change == changes.last ? lastWord : nil
        var own = ownEvent(
          of: change, observedAt: last.map { max($0, change.at) } ?? evidence.first(from: change.at))
        own.flow = name(of: flow)
        events.append(own)
      }
    }
    return events
  }

  private func place(of change: Change, in derived: [LineEvent], among places: [Int]) -> Int? {
    switch change.kind.new.set {
    case .retry: return places.first { derived[$0].type == .gracePeriodExpired }
    case .overdue, .unattributed: return nil
    case .out where change.kind.new.reason == .refunded: return places.first { derived[$0].takesBack }
    case .out: return nil
    case .none, .trial, .paid:
      let (new, old) = (rows[change.newRow].id, change.oldRow.map { rows[$0].id })
      return places.first { derived[$0].transactionID == new }
        ?? places.first { derived[$0].transactionID == old && derived[$0].takesBack }
    }
  }

  private func ownEvent(of change: Change, observedAt: Instant) -> LineEvent {
    let place = change.kind.new.set == .retry ? change.newRow : change.oldRow ?? change.newRow
    func own(
      _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, observedAfter: Instant? = nil
    ) -> LineEvent {
      event(
        type, apple, reason: reason, row: rows[place], effectiveAt: change.at, observedAt: observedAt,
        observedAfter: observedAfter)
    }
    switch change.kind.new.set {
    case .out:
      let (apple, reason) = (change.kind.new.reason ?? .unknown).eventNames
      return own(.expiration, apple, reason: reason)
    case .retry where change.kind.old?.state == .grace:
      return own(.gracePeriodExpired, "GRACE_PERIOD_EXPIRED", reason: whyBillingFailed(at: change.at))
    case .retry:
      return own(
        .billingIssue, "DID_FAIL_TO_RENEW", reason: whyBillingFailed(at: change.at), observedAfter: change.at)
    // No answer shows these changes, so the time of detection is unknown.
    case .overdue: return own(.overdue, "", observedAfter: change.at)
    case .unattributed: return own(.unattributed, "", observedAfter: change.at)
    case .none, .trial, .paid:
      // The line continues in an overlapping row, so nothing was bought.
      var back = own(.productChange, "")
      let product = rows[change.newRow].productID
      back.newProductID = product == back.productID ? nil : product
      (back.transactionID, back.price) = (nil, nil)
      return back
    }
  }

  /// Returns an event for each grace period that ended without a renewal, if a later validation confirms it.
  func gracePeriodEvents(_ evidence: EvidenceTimes) -> [LineEvent] {
    let ends = Set(renewals.compactMap(\.info.gracePeriodExpiresDate)).sorted()
    return ends.compactMap { end in
      guard let validatedAt, validatedAt >= end, let verdict = verdict(at: end),
        verdict.current.isLive(at: end), verdict.current.expires < end,
        renewals.contains(where: {
          $0.observedAt >= verdict.current.expires && $0.observedAt <= end
            && $0.info.gracePeriodExpiresDate == end
        })
      else { return nil }
      return event(
        .gracePeriodExpired, "GRACE_PERIOD_EXPIRED", reason: whyBillingFailed(at: end), row: verdict.current,
        effectiveAt: end, observedAt: evidence.first(from: end))
    }
  }

  /// Events of the rows: purchases, refunds and their reversals, revocations and extensions.
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

  /// Whether the row is a renewal that was paid in grace.
  ///
  /// Such a renewal usually begins on the billing day. So the failure may be visible only in a snapshot that
  /// was taken after the row began, but before an answer contained the row.
  private func isRecoveredInGrace(_ row: Row) -> Bool {
    if timeline.position(at: row.purchase - 1)?.state == .grace { return true }
    guard let seen = row.sighting?.first else { return false }
    return renewals.contains {
      $0.observedAt >= row.purchase && $0.observedAt < seen && $0.info.isInBillingRetryPeriod == true
    }
  }
}

extension LossReason {
  init(_ intent: ExpirationIntent?) { self = intent.map(Self.intent) ?? .unknown }

  var eventNames: (apple: String, reason: String) {
    switch self {
    case .refunded: ("EXPIRED", "CUSTOMER_SUPPORT")
    case .unknown: ("EXPIRED", "UNKNOWN")
    case .intent(let intent):
      ("EXPIRED" + (intent.expiredSubtype.map { "/\($0)" } ?? ""), intent.eventReason)
    }
  }
}

/// Instants at which a line's evidence changed, without validations that showed nothing new.
struct EvidenceTimes {
  private let sorted: [Instant]

  init(_ line: Line) {
    let sightings = line.rows.compactMap(\.sighting).flatMap { [$0.first, $0.latest] }
    sorted = (line.renewals.map(\.observedAt) + sightings).sorted()
  }

  func first(from instant: Instant) -> Instant {
    let next = sorted.placeAfter { $0 < instant }
    return next < sorted.count ? sorted[next] : instant
  }
}
