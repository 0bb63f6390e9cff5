import Subscriptions

/// What is signed of a chain's next renewal: *App Store Server API › JWSRenewalInfoDecodedPayload*.
struct RenewalPayload {
  let subscriber: Subscriber
  let info: RenewalInfo
  /// The row that the next renewal follows.
  let current: Transaction
  /// Where the stretch began that no gap of more than 60 days interrupted.
  let recentStart: Instant
  let signedDate: Instant

  /// Nil before the first purchase, and where the store says nothing of renewals any more.
  init?(_ line: LineLife, of subscriber: Subscriber, at t: Instant, signedDate: Instant) {
    guard let info = line.renewalInfo(at: t), let current = line.current(at: t) else { return nil }
    (self.subscriber, self.info, self.current) = (subscriber, info, current)
    self.signedDate = signedDate
    recentStart = line.recentStart(at: t) ?? current.purchaseDate
  }

  var json: [UInt8] {
    return AppleJSONWriter.object(capacity: 900) { writer in
      writer.value("expirationIntent", info.expirationIntent.flatMap { Int64($0.rawValue) })
      writer.member("originalTransactionId", info.originalTransactionID?.rawValue)
      writer.member("autoRenewProductId", info.autoRenewProductID?.rawValue)
      writer.member("productId", info.productID?.rawValue)
      writer.value("autoRenewStatus", info.autoRenewStatus.map { $0 ? 1 : 0 })
      writer.value("isInBillingRetryPeriod", info.isInBillingRetryPeriod)
      writer.value("priceIncreaseStatus", info.priceIncreaseStatus.flatMap(Int64.init))
      writer.value("gracePeriodExpiresDate", info.gracePeriodExpiresDate)
      if let promotion = info.promotionalOfferID, let product = nextProduct {
        writer.offer(SignedOffer(promotion: promotion, of: product))
      }
      writer.value("signedDate", signedDate)
      writer.member("environment", subscriber.environment.rawValue)
      writer.value("recentSubscriptionStartDate", recentStart)
      writer.value("renewalDate", current.expiresDate)
      if let price {
        writer.value("renewalPrice", price.single / 1000)
        writer.member("currency", price.currency.rawValue)
      }
      let winBacks = eligibleWinBackOffers
      if !winBacks.isEmpty { writer.list("eligibleWinBackOfferIds", winBacks) }
      writer.member("appAccountToken", current.appAccountToken)
      writer.member("appTransactionId", subscriber.appTransactionID)
    }
  }

  /// What the renewal will cost where the customer shops; nil where there will be none.
  var price: Money? {
    guard info.autoRenewStatus == true, let price = nextPrice else { return nil }
    let storefront = subscriber.storefront
    return Money(micros: storefront.price(ofCatalogMicros: price) * 1000, currency: storefront.currency)
  }

  private var nextProduct: FakeProduct? {
    let id = info.autoRenewProductID ?? current.productID
    return FakeCatalog.products.first { $0.id == id }
  }

  /// With the offer that was announced: of a change of plan it is the new one's.
  private var nextPrice: Int64? {
    guard let product = nextProduct else { return nil }
    let date = current.expiresDate ?? signedDate
    var next = Transaction(
      transactionID: current.transactionID, originalTransactionID: current.originalTransactionID,
      productID: product.id, purchaseDate: date, expiresDate: date)
    next.promotionalOfferID = info.promotionalOfferID
    return subscriber.micros(of: next)
  }

  /// For who left more than a month ago by his own will.
  var eligibleWinBackOffers: [String] {
    guard info.expirationIntent == .customerCancelled, let ended = current.expiresDate,
      ended + 30 * Milliseconds.day < signedDate
    else { return [] }
    return ["winback.half.year", "winback.month"]
  }
}
