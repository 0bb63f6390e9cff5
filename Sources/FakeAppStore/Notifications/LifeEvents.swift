import Subscriptions

/// Event of a subscriber that causes a notification.
struct LifeEvent: Sendable {
  /// Position in the ordered events of a population, also used as a pagination token.
  struct Place: Comparable, Sendable {
    let at: Instant
    let index: Int
    /// Position among the subscriber's events of the same instant.
    let order: Int

    var text: String { "\(at.rawValue)_\(index)_\(order)" }

    static func < (left: Self, right: Self) -> Bool {
      (left.at, left.index, left.order) < (right.at, right.index, right.order)
    }
  }

  let place: Place
  let news: LifeNews
}

extension LifeEvent.Place {
  init?(_ text: String) {
    let numbers = text.split(separator: "_", omittingEmptySubsequences: false).compactMap { Int64($0) }
    guard numbers.count == 3, let index = Int(exactly: numbers[1]), let order = Int(exactly: numbers[2])
    else { return nil }
    self.init(at: Instant(milliseconds: numbers[0]), index: index, order: order)
  }
}

struct LifeNews: Sendable {
  let at: Instant
  let type: String
  var subtype: String?
  let transactionID: TransactionID
}

extension Subscriber {
  /// Returns the events up to `t` or the deletion of the account, oldest first in a stable order.
  func events(upTo t: Instant) -> [LifeEvent] {
    let end = accountGoneFrom.map { min($0 - 1, t) } ?? t
    let life = Life(of: self, until: end)
    let all = life.lines.flatMap(\.news) + life.oneTime.flatMap(\.news)
    let sorted = all.filter { $0.at <= end }.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    var (last, order) = (Instant.distantPast, 0)
    return sorted.map { _, news in
      order = news.at == last ? order + 1 : 0
      last = news.at
      return LifeEvent(place: LifeEvent.Place(at: news.at, index: index, order: order), news: news)
    }
  }
}

extension LifeRow {
  fileprivate var news: [LifeNews] {
    let id = transaction.transactionID
    let bought = LifeNews(at: visibleFrom, type: "ONE_TIME_CHARGE", transactionID: id)
    guard transaction.cancellationDate != nil else { return [bought] }
    return [bought, LifeNews(at: cancelledFrom, type: "REFUND", transactionID: id)]
  }
}

/// Events of a line: *App Store Server Notifications › Handling subscription lifecycle events*.
extension LineLife {
  /// Events in no particular order; some after the end of the generated history may be missing.
  fileprivate var news: [LifeNews] { newsOfRows + newsOfInfos + newsOfGrace }

  /// Purchases, renewals, refunds and revocations; restored copies cause no notification.
  private var newsOfRows: [LifeNews] {
    var news: [LifeNews] = []
    var previous: LifeRow?
    for row in rows where !row.isRestored {
      let id = row.transaction.transactionID
      let (type, subtype) = Self.arrival(of: row, after: previous)
      news.append(LifeNews(at: row.visibleFrom, type: type, subtype: subtype, transactionID: id))
      if row.transaction.isTakenBack {
        let type = customer.isFamilyMember ? "REVOKE" : "REFUND"
        news.append(LifeNews(at: row.cancelledFrom, type: type, transactionID: id))
      }
      previous = row
    }
    return news
  }

  private static func arrival(of row: LifeRow, after previous: LifeRow?) -> (String, String?) {
    guard let previous else { return ("SUBSCRIBED", "INITIAL_BUY") }
    if row.isRenewal {
      let isLate = row.visibleFrom > previous.transaction.expiresDate ?? .distantFuture
      return ("DID_RENEW", isLate ? "BILLING_RECOVERY" : nil)
    }
    let isMove = previous.transaction.isUpgraded && previous.upgradedFrom == row.visibleFrom
    return isMove ? ("DID_CHANGE_RENEWAL_PREF", "UPGRADE") : ("SUBSCRIBED", "RESUBSCRIBE")
  }

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
  ) -> [(String, String?)] {
    // If the customer cancels in the grace period, Apple removes the renewal info.
    guard let after else { return [("EXPIRED", "VOLUNTARY")] }
    var news: [(String, String?)] = []
    if before?.autoRenewStatus != after.autoRenewStatus, !customer.isFamilyMember,
      after.isInBillingRetryPeriod != false || after.expirationIntent == .customerCancelled
    {
      news.append(
        (
          "DID_CHANGE_RENEWAL_STATUS",
          after.autoRenewStatus == true ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED"
        ))
    }
    if after.isInBillingRetryPeriod == true, before?.isInBillingRetryPeriod != true {
      news.append(("DID_FAIL_TO_RENEW", after.gracePeriodExpiresDate == nil ? nil : "GRACE_PERIOD"))
    }
    if after.isInBillingRetryPeriod == false, before?.isInBillingRetryPeriod != false, !isRevoked {
      news.append(("EXPIRED", after.expirationIntent.flatMap { Self.expired[$0] }))
    }
    if before?.priceIncreaseStatus != after.priceIncreaseStatus, let status = after.priceIncreaseStatus {
      news.append(("PRICE_INCREASE", status == "0" ? "PENDING" : "ACCEPTED"))
    }
    if before?.autoRenewProductID != after.autoRenewProductID {
      let isBack = after.autoRenewProductID == after.productID
      news.append(("DID_CHANGE_RENEWAL_PREF", isBack ? nil : "DOWNGRADE"))
    }
    if before?.promotionalOfferID == nil, after.promotionalOfferID != nil {
      news.append(("OFFER_REDEEMED", nil))
    }
    return news
  }

  private static let expired: [ExpirationIntent: String] = [
    .customerCancelled: "VOLUNTARY", .billingError: "BILLING_RETRY",
    .customerDidNotConsentToPriceIncrease: "PRICE_INCREASE", .productNotAvailable: "PRODUCT_NOT_FOR_SALE",
  ]

  /// Ends of grace periods, found by their dates because the renewal info does not change at these instants.
  private var newsOfGrace: [LifeNews] {
    Set(spans.compactMap { $0.info?.gracePeriodExpiresDate }).compactMap { end in
      guard let info = renewalInfo(at: end), info.isInBillingRetryPeriod == true,
        info.gracePeriodExpiresDate == end, let row = current(at: end)
      else { return nil }
      return LifeNews(at: end, type: "GRACE_PERIOD_EXPIRED", transactionID: row.transactionID)
    }
  }
}
