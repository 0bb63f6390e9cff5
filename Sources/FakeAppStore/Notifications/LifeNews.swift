import Subscriptions

/// Event in a subscriber's life that the store sends a notification for.
struct LifeNews: Hashable, Sendable {
  let at: Instant
  let type: NotificationType
  var subtype: NotificationSubtype?
  /// Row that the event is about.
  let transactionID: TransactionID
}

extension Life {
  /// Returns the events up to `t`, oldest first. Events of the same instant are always in the same order.
  func news(upTo t: Instant) -> [LifeNews] {
    let all = lines.flatMap(\.news) + oneTime.flatMap(\.news)
    return all.filter { $0.at <= t }.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
  }
}

extension Subscriber {
  /// Returns the events up to `t`. A deleted account has no more of them.
  func news(upTo t: Instant) -> [LifeNews] {
    let end = accountGoneFrom.map { min($0 - 1, t) } ?? t
    return Life(of: self, until: end).news(upTo: end)
  }
}

extension LifeRow {
  /// Events of a one-time purchase.
  fileprivate var news: [LifeNews] {
    let id = transaction.transactionID
    let bought = LifeNews(at: visibleFrom, type: .oneTimeCharge, transactionID: id)
    guard transaction.cancellationDate != nil else { return [bought] }
    return [bought, LifeNews(at: cancelledFrom, type: .refund, transactionID: id)]
  }
}

/// Events of a line's rows and renewal infos: *App Store Server Notifications › Handling subscription
/// lifecycle events*.
extension LineLife {
  /// Events in no particular order. Those after the end of the life may be incomplete.
  var news: [LifeNews] { newsOfRows + newsOfInfos + newsOfGrace }

  /// Purchases, renewals, refunds and revocations. Restored copies cause no notification.
  private var newsOfRows: [LifeNews] {
    var news: [LifeNews] = []
    var previous: LifeRow?
    for row in rows where !row.isRestored {
      let id = row.transaction.transactionID
      let (type, subtype) = Self.arrival(of: row, after: previous)
      news.append(LifeNews(at: row.visibleFrom, type: type, subtype: subtype, transactionID: id))
      if row.transaction.cancellationDate != nil, !row.transaction.isUpgraded {
        let isRevoked = customer.isFamilyMember
        news.append(
          LifeNews(at: row.cancelledFrom, type: isRevoked ? .revoke : .refund, transactionID: id))
      }
      previous = row
    }
    return news
  }

  private static func arrival(
    of row: LifeRow, after previous: LifeRow?
  ) -> (NotificationType, NotificationSubtype?) {
    guard let previous else { return (.subscribed, .initialBuy) }
    if row.isRenewal {
      let isLate = row.visibleFrom > previous.transaction.expiresDate ?? .distantFuture
      return (.didRenew, isLate ? .billingRecovery : nil)
    }
    let isMove = previous.transaction.isUpgraded && previous.upgradedFrom == row.visibleFrom
    return isMove ? (.didChangeRenewalPreference, .upgrade) : (.subscribed, .resubscribe)
  }

  /// Changes of the renewal info without a purchase.
  private var newsOfInfos: [LifeNews] {
    let purchases = Set(rows.map(\.visibleFrom))
    return zip(spans, spans.dropFirst()).flatMap { before, after -> [LifeNews] in
      guard !purchases.contains(after.from), let row = current(at: after.from) else { return [] }
      return changes(from: before.info, to: after.info, isRevoked: row.isTakenBack).map { type, subtype in
        LifeNews(at: after.from, type: type, subtype: subtype, transactionID: row.transactionID)
      }
    }
  }

  private func changes(
    from before: RenewalInfo?, to after: RenewalInfo?, isRevoked: Bool
  ) -> [(NotificationType, NotificationSubtype?)] {
    // If the customer cancels in the grace period, Apple removes the renewal info.
    guard let after else { return [(.expired, .voluntary)] }
    var news: [(NotificationType, NotificationSubtype?)] = []
    if before?.autoRenewStatus != after.autoRenewStatus, !customer.isFamilyMember,
      after.isInBillingRetryPeriod != false || after.expirationIntent == .customerCancelled
    {
      news.append(
        (.didChangeRenewalStatus, after.autoRenewStatus == true ? .autoRenewEnabled : .autoRenewDisabled))
    }
    if after.isInBillingRetryPeriod == true, before?.isInBillingRetryPeriod != true {
      news.append((.didFailToRenew, after.gracePeriodExpiresDate == nil ? nil : .gracePeriod))
    }
    if after.isInBillingRetryPeriod == false, before?.isInBillingRetryPeriod != false, !isRevoked {
      news.append((.expired, after.expirationIntent.flatMap(\.subtype)))
    }
    if before?.priceIncreaseStatus != after.priceIncreaseStatus, let status = after.priceIncreaseStatus {
      news.append((.priceIncrease, status == "0" ? .pending : .accepted))
    }
    if before?.autoRenewProductID != after.autoRenewProductID {
      let isBack = after.autoRenewProductID == after.productID
      news.append((.didChangeRenewalPreference, isBack ? nil : .downgrade))
    }
    if before?.promotionalOfferID == nil, after.promotionalOfferID != nil {
      news.append((.offerRedeemed, nil))
    }
    return news
  }

  /// Ends of grace periods. Only the date shows them, since the renewal info does not change.
  private var newsOfGrace: [LifeNews] {
    Set(spans.compactMap { $0.info?.gracePeriodExpiresDate }).compactMap { end in
      guard let info = renewalInfo(at: end), info.isInBillingRetryPeriod == true,
        info.gracePeriodExpiresDate == end, let row = current(at: end)
      else { return nil }
      return LifeNews(at: end, type: .gracePeriodExpired, transactionID: row.transactionID)
    }
  }
}

extension Transaction {
  /// Whether the purchase was refunded or revoked. The cancellation date of an upgrade does not count.
  fileprivate var isTakenBack: Bool { cancellationDate != nil && !self.isUpgraded }
}

extension ExpirationIntent {
  fileprivate var subtype: NotificationSubtype? {
    switch self {
    case .customerCancelled: .voluntary
    case .billingError: .billingRetry
    case .customerDidNotConsentToPriceIncrease: .priceIncrease
    case .productNotAvailable: .productNotForSale
    case .other, .unknown: nil
    }
  }
}

/// Type of a notification: *App Store Server Notifications › notificationType*.
enum NotificationType: String, CaseIterable, Sendable {
  case subscribed = "SUBSCRIBED"
  case didRenew = "DID_RENEW"
  case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
  case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
  case offerRedeemed = "OFFER_REDEEMED"
  case didFailToRenew = "DID_FAIL_TO_RENEW"
  case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
  case expired = "EXPIRED"
  case priceIncrease = "PRICE_INCREASE"
  case refund = "REFUND"
  case revoke = "REVOKE"
  case oneTimeCharge = "ONE_TIME_CHARGE"
  case test = "TEST"

  /// Possible subtypes. Each type can also come without one.
  var subtypes: Set<NotificationSubtype> {
    switch self {
    case .subscribed: [.initialBuy, .resubscribe]
    case .didRenew: [.billingRecovery]
    case .didChangeRenewalPreference, .offerRedeemed: [.upgrade, .downgrade]
    case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
    case .didFailToRenew: [.gracePeriod]
    case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
    case .priceIncrease: [.pending, .accepted]
    case .gracePeriodExpired, .refund, .revoke, .oneTimeCharge, .test: []
    }
  }
}

/// Subtype of a notification: *App Store Server Notifications › subtype*.
enum NotificationSubtype: String, CaseIterable, Sendable {
  case initialBuy = "INITIAL_BUY"
  case resubscribe = "RESUBSCRIBE"
  case billingRecovery = "BILLING_RECOVERY"
  case upgrade = "UPGRADE"
  case downgrade = "DOWNGRADE"
  case autoRenewEnabled = "AUTO_RENEW_ENABLED"
  case autoRenewDisabled = "AUTO_RENEW_DISABLED"
  case gracePeriod = "GRACE_PERIOD"
  case voluntary = "VOLUNTARY"
  case billingRetry = "BILLING_RETRY"
  case priceIncrease = "PRICE_INCREASE"
  case productNotForSale = "PRODUCT_NOT_FOR_SALE"
  case pending = "PENDING"
  case accepted = "ACCEPTED"
}
