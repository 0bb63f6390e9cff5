extension [LineEvent] {
  /// The feed with what notifications told: one that tells what the feed already has is noted there, and dates it where
  /// Apple gives the instant; any other is an event of its own.
  ///
  /// - Parameter event: makes that event.
  func merged(
    with notifications: [ServerNotification], row: (ServerNotification) -> Row? = { _ in nil },
    event: (ServerNotification) -> LineEvent
  ) -> [LineEvent] {
    var events = self
    for notification in notifications {
      // Apple tells of an upgrade by CANCEL of the old row: it is no refund, and the change may be noted already.
      if let upgrade = row(notification)?.upgrade, notification.type.isTakenBack {
        let change = events.firstIndex {
          $0.type == .productChange && $0.transactionID != nil && $0.transactionID == upgrade.successorID
        }
        guard let change else {
          events.append(event(notification))
          continue
        }
        if events[change].notificationType == nil { events[change].note(notification) }
        continue
      }
      let place = events.firstIndex { $0.notificationType == nil && $0.tellsTheSame(as: notification) }
      if let place {
        events[place].note(notification)
      } else {
        events.append(event(notification))
      }
    }
    return events
  }
}

extension Line {
  /// The row that a notification names, by any of its ids.
  func row(of notification: ServerNotification) -> Row? {
    guard let id = notification.transactionID else { return nil }
    return rows.first { $0.id == id || $0.duplicateIDs.contains(id) }
  }
}

extension LineEvent {
  /// What the start of a row can be: which of them it was, the rest of the line decides.
  private static let starts: Set<Kind> = [
    .initialPurchase, .renewal, .resubscribe, .productChange, .offerRedeemed,
  ]

  /// What the types of notifications are called here.
  private static let kinds: [NotificationType: Set<Kind>] = [
    .initialBuy: starts, .didRenew: starts, .renewal: starts, .didRecover: starts,
    .interactiveRenewal: starts,
    .didChangeRenewalStatus: [.cancellation, .uncancellation],
    .didChangeRenewalPref: [.productChange],
    .didFailToRenew: [.billingIssue],
    .cancel: [.cancellation, .productChange], .refund: [.cancellation], .revoke: [.revoke],
    .priceIncreaseConsent: [.priceConsentPending],
    NotificationType("ONE_TIME_CHARGE"): [.nonRenewingPurchase],
  ]

  fileprivate func tellsTheSame(as notification: ServerNotification) -> Bool {
    guard Self.kinds[notification.type]?.contains(type) ?? false else { return false }
    switch notification.type {
    case .didChangeRenewalStatus:
      let isSwitchedOn = type == .uncancellation
      return reason != "CUSTOMER_SUPPORT" && (notification.autoRenewStatus ?? isSwitchedOn) == isSwitchedOn
        && holds(notification.autoRenewStatusChangeDate ?? notification.observedAt)
    case .didFailToRenew: return holds(notification.observedAt)
    case .didChangeRenewalPref, .priceIncreaseConsent:
      return transactionID == nil && holds(notification.observedAt)
    case .cancel, .refund, .revoke:
      let isSameRow = notification.transactionID == nil || transactionID == notification.transactionID
      return isSameRow
        && (notification.cancellationDate == nil || effectiveAt == notification.cancellationDate)
    default: return transactionID != nil && transactionID == notification.transactionID
    }
  }

  /// Whether an instant lies in the interval in which the event happened.
  private func holds(_ instant: Instant) -> Bool {
    instant <= observedAt && (observedAfter.map { $0 < instant } ?? (instant == effectiveAt))
  }

  fileprivate mutating func note(_ notification: ServerNotification) {
    notificationType = notification.type
    notifiedAt = notification.observedAt
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
    guard let row = line.row(of: notification) else { return }
    periodType = row.kind.periodType
    guard let upgrade = row.upgrade, notification.type.isTakenBack else { return }
    (type, reason, newProductID) = (.productChange, nil, upgrade.successorProductID)
  }

  /// A notification that tells what nothing else does.
  init(_ notification: ServerNotification, product: ProductID, newProduct: ProductID?) {
    let kind: Kind =
      switch notification.type {
      case .initialBuy: .initialPurchase
      case .didRenew, .renewal, .didRecover: .renewal
      case .interactiveRenewal: .resubscribe
      case .didChangeRenewalStatus: notification.autoRenewStatus == true ? .uncancellation : .cancellation
      case .didChangeRenewalPref: .productChange
      case .didFailToRenew: .billingIssue
      case .cancel, .refund: .cancellation
      case .revoke: .revoke
      case .priceIncreaseConsent: .priceConsentPending
      default: Kind(notification.type.rawValue)
      }
    let reason: String? =
      switch notification.type {
      case .didChangeRenewalStatus where kind == .cancellation: "UNSUBSCRIBE"
      case .didFailToRenew: "BILLING_ERROR"
      case .cancel, .refund: "CUSTOMER_SUPPORT"
      default: nil
      }
    let date =
      notification.autoRenewStatusChangeDate ?? notification.cancellationDate ?? notification.observedAt
    self.init(
      kind, apple: notification.type.rawValue, reason: reason, environment: notification.environment,
      chain: notification.originalTransactionID, transaction: notification.transactionID, product: product,
      newProduct: newProduct == product ? nil : newProduct, effectiveAt: date,
      observedAt: notification.observedAt)
    isToldByNotificationAlone = true
    notificationType = notification.type
    notifiedAt = notification.observedAt
  }
}
