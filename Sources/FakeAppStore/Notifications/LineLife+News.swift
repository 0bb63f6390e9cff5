import Subscriptions

/// What a line's rows and renewal infos announce: *App Store Server Notifications › Handling subscription lifecycle events*.
extension LineLife {
  /// Not in order, and what lies beyond the instant that the life was drawn to may not be all.
  var news: [LifeNews] { newsOfRows + newsOfInfos + newsOfGrace }

  /// A restored copy is nobody's news.
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

  /// Where one renewal info follows another without a purchase.
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
    // Who cancels in the grace period vanishes.
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

  /// Nobody says anything when it ends: the date alone does.
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
  /// Refunded or revoked, which an upgrade is not.
  fileprivate var isTakenBack: Bool { cancellationDate != nil && !isUpgraded }
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
