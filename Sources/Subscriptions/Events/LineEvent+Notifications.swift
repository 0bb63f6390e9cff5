extension [LineEvent] {
  /// Returns the events, with notifications noted in the events that they repeat, or added as new events.
  ///
  /// An upgrade's second notification is dropped, and a refund's too, unless it has the refund's date. `row`
  /// returns the row that a notification names; `event` returns a new event for a notification.
  func merged(
    with notifications: [ServerNotification], row: (ServerNotification) -> Row? = { _ in nil },
    event: (ServerNotification) -> LineEvent
  ) -> [LineEvent] {
    var events = self
    for notification in notifications {
      let named = row(notification)
      // Apple reports an upgrade as CANCEL of the old row. The upgrade may already have a notification.
      if let upgrade = named?.upgrade, notification.type.isTakenBack {
        let change = events.firstIndex {
          $0.type == .productChange && $0.transactionID != nil && $0.transactionID == upgrade.successorID
        }
        guard let change else {
          events.append(event(notification))
          continue
        }
        if events[change].notificationType == nil { events[change].note(notification, named) }
        continue
      }
      if let place = events.place(of: notification) {
        events[place].note(notification, named)
      } else if let place = events.refund(repeatedBy: notification) {
        // The notification with the refund's date replaces any other.
        let isItsDate = events[place].effectiveAt == notification.cancellationDate
        if isItsDate || events[place].notificationType == nil { events[place].note(notification, named) }
      } else {
        events.append(event(notification))
      }
    }
    return events
  }

  /// Returns the index of the event, so far without a notification, that a notification repeats.
  ///
  /// If several match, a signed notification gets the nearest in time, and any other the first.
  private func place(of notification: ServerNotification) -> Int? {
    let places = indices.lazy.filter {
      self[$0].notificationType == nil && self[$0].isSameEvent(as: notification)
    }
    guard notification.isSigned else { return places.first }
    return places.min { self[$0].distance(to: notification) < self[$1].distance(to: notification) }
  }

  /// Returns the index of the refund that a notification repeats; `nil` if there is none.
  ///
  /// It is the refund of the notification's date, or else the first refund that was observed at or after the
  /// notification, or else the last refund.
  fileprivate func refund(repeatedBy notification: ServerNotification) -> Int? {
    guard notification.type.isTakenBack, let id = notification.transactionID else { return nil }
    let refunds = indices.filter {
      self[$0].takesBack && self[$0].transactionID == id && !self[$0].isNotifiedOnly
    }.sorted { self[$0].observedAt < self[$1].observedAt }
    return refunds.first { self[$0].effectiveAt == notification.cancellationDate }
      ?? refunds.first { self[$0].observedAt >= notification.observedAt } ?? refunds.last
  }
}

extension Line {
  func row(of notification: ServerNotification) -> Row? { place(of: notification).map { rows[$0] } }

  fileprivate func place(of notification: ServerNotification) -> Int? {
    guard let id = notification.transactionID else { return nil }
    return rows.firstIndex { $0.id == id || $0.duplicateIDs.contains(id) }
  }
}

extension LineEvent {
  private static let starts: Set<Kind> = [
    .initialPurchase, .renewal, .resubscribe, .productChange, .offerRedeemed,
  ]

  /// Kind and reason of the event that a notification of each type creates, and the kinds that it can repeat.
  private static let meanings: [NotificationType: (kind: Kind, repeated: Set<Kind>, reason: String?)] = [
    .initialBuy: (.initialPurchase, starts, nil), .didRenew: (.renewal, starts, nil),
    .renewal: (.renewal, starts, nil), .didRecover: (.renewal, starts, nil),
    .interactiveRenewal: (.resubscribe, starts, nil), .subscribed: (.initialPurchase, starts, nil),
    .didChangeRenewalStatus: (.cancellation, [.cancellation, .uncancellation], "UNSUBSCRIBE"),
    .didChangeRenewalPref: (.productChange, [.productChange], nil),
    .didFailToRenew: (.billingIssue, [.billingIssue], "BILLING_ERROR"),
    .cancel: (.cancellation, [.cancellation, .productChange], "CUSTOMER_SUPPORT"),
    .refund: (.cancellation, [.cancellation], "CUSTOMER_SUPPORT"), .revoke: (.revoke, [.revoke], nil),
    .priceIncreaseConsent: (.priceConsentPending, [.priceConsentPending], nil),
    .offerRedeemed: (.offerRedeemed, [.offerRedeemed, .productChange, .resubscribe, .initialPurchase], nil),
    .expired: (.expiration, [.expiration], nil),
    .gracePeriodExpired: (.gracePeriodExpired, [.gracePeriodExpired], "BILLING_ERROR"),
    .priceIncrease: (.priceConsentPending, [.priceConsentPending, .priceConsentAccepted], nil),
    .refundReversed: (.refundReversed, [.refundReversed], nil),
    .renewalExtended: (.subscriptionExtended, [.subscriptionExtended], nil),
    .oneTimeCharge: (.nonRenewingPurchase, [.nonRenewingPurchase], nil),
  ]

  fileprivate func distance(to notification: ServerNotification) -> Int64 {
    abs(observedAt - notification.observedAt)
  }

  fileprivate func isSameEvent(as notification: ServerNotification) -> Bool {
    guard Self.meanings[notification.type]?.repeated.contains(type) ?? false else { return false }
    // Apple signs a notification some time after the event, and a validation may be between the two.
    let slack = notification.isSigned ? Milliseconds.hour : 0
    switch notification.type {
    case .didChangeRenewalStatus:
      let isSwitchedOn = type == .uncancellation
      return reason != "CUSTOMER_SUPPORT" && (notification.switchesOn ?? isSwitchedOn) == isSwitchedOn
        && holds(notification.autoRenewStatusChangeDate ?? notification.observedAt, within: slack)
    case .didFailToRenew:
      return (notification.isSigned && isAboutRow(of: notification))
        || holds(notification.observedAt, within: slack)
    case .didChangeRenewalPref where notification.subtype == "UPGRADE": return isAboutRow(of: notification)
    case .didChangeRenewalPref, .priceIncreaseConsent:
      return transactionID == nil && holds(notification.observedAt, within: slack)
    case .offerRedeemed where notification.subtype == "DOWNGRADE":
      return type == .productChange && transactionID == nil && holds(notification.observedAt, within: slack)
    // If the current row began long ago, the offer applies to a later row.
    case .offerRedeemed:
      return isAboutRow(of: notification)
        && abs(effectiveAt - notification.observedAt) <= Milliseconds.day
    case .priceIncrease:
      return (type == .priceConsentAccepted) == (notification.subtype == "ACCEPTED")
        && holds(notification.observedAt, within: slack)
    case .cancel, .refund, .revoke:
      let isSameRow = notification.transactionID == nil || transactionID == notification.transactionID
      return isSameRow
        && (notification.cancellationDate == nil || effectiveAt == notification.cancellationDate)
    default: return isAboutRow(of: notification)
    }
  }

  private func isAboutRow(of notification: ServerNotification) -> Bool {
    transactionID != nil && transactionID == notification.transactionID
  }

  private func holds(_ instant: Instant, within slack: Int64) -> Bool {
    instant <= observedAt + slack
      && (observedAfter.map { $0 < instant } ?? (abs(instant - effectiveAt) <= slack))
  }

  fileprivate mutating func note(_ notification: ServerNotification, _ row: Row?) {
    notificationType = notification.type
    if transactionID == nil { transactionID = row?.id ?? notification.transactionID }
    notifiedAt = notification.observedAt
    // A notification about the replaced row does not rename the upgrade.
    if notification.isSigned, !(type == .productChange && notification.type.isTakenBack) {
      appleName = AppleName(notification)
    }
    if let date = notification.autoRenewStatusChangeDate, notification.type == .didChangeRenewalStatus {
      effectiveAt = date
      observedAfter = nil
    }
  }

  init(_ notification: ServerNotification, of line: Line) {
    self.init(
      notification, product: notification.productID ?? line.rows.last?.productID ?? ProductID(""),
      newProduct: notification.autoRenewProductID)
    isFamilyShare = line.isFamilyShared
    switch type {
    case .cancellation where reason == "UNSUBSCRIBE":
      reason = line.whyAutoRenewIsOff(at: notification.autoRenewStatusChangeDate ?? notification.observedAt)
    case .billingIssue, .gracePeriodExpired: reason = line.whyBillingFailed(at: notification.observedAt)
    default: break
    }
    guard let place = line.place(of: notification) else { return }
    let row = line.rows[place]
    periodType = row.kind.periodType
    if type == .billingIssue { effectiveAt = line.failure(of: place, noticedAt: effectiveAt) }
    guard let upgrade = row.upgrade, notification.type.isTakenBack else { return }
    (type, reason, newProductID) = (.productChange, nil, upgrade.successorProductID)
  }

  init(_ notification: ServerNotification, product: ProductID, newProduct: ProductID?) {
    let meaning = Self.meanings[notification.type]
    var (kind, reason) = (meaning?.kind ?? Kind(notification.type.rawValue), meaning?.reason)
    switch notification.type {
    case .subscribed where notification.subtype == "RESUBSCRIBE": kind = .resubscribe
    case .priceIncrease where notification.subtype == "ACCEPTED": kind = .priceConsentAccepted
    case .didChangeRenewalStatus where notification.switchesOn == true:
      (kind, reason) = (.uncancellation, nil)
    case .expired:
      reason = LossReason(ExpirationIntent.named(bySubtype: notification.subtype)).eventNames.reason
    default: break
    }
    let date =
      notification.autoRenewStatusChangeDate ?? notification.cancellationDate ?? notification.observedAt
    self.init(
      kind, apple: "", reason: reason, environment: notification.environment,
      chain: notification.originalTransactionID, transaction: notification.transactionID, product: product,
      newProduct: newProduct == product ? nil : newProduct, effectiveAt: date,
      observedAt: notification.observedAt)
    appleName = AppleName(notification)
    isNotifiedOnly = true
    notificationType = notification.type
    notifiedAt = notification.observedAt
  }
}

extension LineEvent.AppleName {
  fileprivate init(_ notification: ServerNotification) {
    self.init("")
    (type, subtype) = (notification.type.rawValue, notification.subtype)
  }
}
