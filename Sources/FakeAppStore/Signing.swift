import AppStore
import FoundationEssentials
import Subscriptions

/// Signer of data in the App Store's format, with its own certificate authority; signing takes about 30 µs.
struct FakeSigner: Sendable {
  let authority: SigningAuthority
  private let headerPart: String

  init?() {
    // Certificates are valid at every instant that the fake's clock can show.
    guard let authority = SigningAuthority(valid: FieldLimits.earliest...FieldLimits.latest),
      let header = Self.bytes(of: authority.header)
    else { return nil }
    self.authority = authority
    headerPart = CompactJWS.part(header)
  }

  func sign(again text: String) -> String {
    CompactJWS(text).flatMap { CompactJWS.bytes(of: $0.payload) }.map(sign) ?? text
  }

  func sign(_ payload: [UInt8]) -> String {
    CompactJWS.sign(headerPart: headerPart, payload: payload, with: authority.key) ?? ""
  }

  func sign(_ payload: some Encodable) -> String? { Self.bytes(of: payload).map { sign($0) } }

  private static func bytes(of payload: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(payload)).map(Array.init)
  }
}

extension SignedTransaction {
  /// Creates the signed form of a row; `nil` if the row is not visible yet.
  init?(_ row: LifeRow, of subscriber: Subscriber, at t: Instant, signedDate: Instant) {
    let isRenewal = row.isRenewal
    guard let row = row.transaction(at: t) else { return nil }
    self.init(row.transactionID.rawValue, productId: row.productID.rawValue, purchaseDate: row.purchaseDate)
    originalTransactionId = row.originalTransactionID.rawValue
    webOrderLineItemId = row.webOrderLineItemID?.rawValue
    bundleId = subscriber.bundleID.rawValue
    subscriptionGroupIdentifier = row.subscriptionGroupIdentifier?.rawValue
    originalPurchaseDate = row.originalPurchaseDate?.rawValue
    expiresDate = row.expiresDate?.rawValue
    quantity = row.quantity
    type = FakeCatalog.productType(of: row)
    appAccountToken = row.appAccountToken
    inAppOwnershipType = row.inAppOwnershipType.rawValue
    self.signedDate = signedDate.rawValue
    isUpgraded = row.isUpgraded ? true : nil
    environment = subscriber.environment.rawValue
    transactionReason = isRenewal ? "RENEWAL" : "PURCHASE"
    appTransactionId = subscriber.appTransactionID
    setRevocation(of: row)
    if let offer = FakeCatalog.product(row.productID)?.offer(of: row) {
      (offerType, offerIdentifier) = (Int64(offer.type), offer.identifier)
      (offerDiscountType, offerPeriod) = (offer.discount, offer.period.iso8601)
    }
    let store = subscriber.storefront
    (storefront, storefrontId) = (store.country, store.id)
    if let micros = subscriber.micros(of: row) {
      (price, currency) = (store.price(ofCatalogMicros: micros) * row.quantity, store.currency.rawValue)
    }
  }

  private mutating func setRevocation(of row: Transaction) {
    revocationDate = row.cancellationDate?.rawValue
    revocationReason = row.cancellationReason.flatMap { Int64($0) }
    // A row replaced by an upgrade is not a refund. Apple has not been seen to set a type for it.
    guard row.isTakenBack else { return }
    if row.inAppOwnershipType.isShared {
      revocationType = "FAMILY_REVOKE"
    } else if let share = row.refundedShare {
      (revocationType, revocationPercentage) = ("REFUND_PRORATED", share)
    } else {
      revocationType = "REFUND_FULL"
    }
  }
}

extension Transaction {
  /// Refunded share in thousandths of a percent; `nil` for a refund of the whole price.
  var refundedShare: Int64? {
    let number = SplitMix64.mixed(UInt64(bitPattern: Int64(transactionID.rawValue) ?? 0))
    return number % 8 == 0 ? 20_000 + Int64(number >> 8 & 0xFFFF) : nil
  }
}

extension SignedRenewalInfo {
  /// Creates the signed renewal info; `nil` before the first purchase, or if Apple has removed the info.
  init?(_ line: LineLife, of subscriber: Subscriber, at t: Instant, signedDate: Instant) {
    guard let info = line.renewalInfo(at: t), let current = line.current(at: t) else { return nil }
    self.init()
    expirationIntent = info.expirationIntent.flatMap { Int64($0.rawValue) }
    originalTransactionId = info.originalTransactionID?.rawValue
    autoRenewProductId = info.autoRenewProductID?.rawValue
    productId = info.productID?.rawValue
    autoRenewStatus = info.autoRenewStatus.map { $0 ? 1 : 0 }
    isInBillingRetryPeriod = info.isInBillingRetryPeriod
    priceIncreaseStatus = info.priceIncreaseStatus.flatMap { Int64($0) }
    gracePeriodExpiresDate = info.gracePeriodExpiresDate?.rawValue
    self.signedDate = signedDate.rawValue
    environment = subscriber.environment.rawValue
    recentSubscriptionStartDate = (line.recentStart(at: t) ?? current.purchaseDate).rawValue
    renewalDate = current.expiresDate?.rawValue
    appAccountToken = current.appAccountToken
    appTransactionId = subscriber.appTransactionID
    let next = info.autoRenewProductID ?? current.productID
    if let product = FakeCatalog.product(next) {
      if let promotion = info.promotionalOfferID {
        (offerType, offerIdentifier) = (2, promotion)
        (offerDiscountType, offerPeriod) = ("PAY_AS_YOU_GO", product.period.iso8601)
      }
      setPrice(of: product, info, after: current, subscriber)
    }
    // Win-back offers are for customers who cancelled and whose subscription ended more than 30 days ago.
    if info.expirationIntent == .customerCancelled, let ended = current.expiresDate,
      ended + 30 * Milliseconds.day < signedDate
    {
      eligibleWinBackOfferIds = ["winback.half.year", "winback.month"]
    }
  }

  /// Sets the renewal price in the customer's storefront, unless auto-renew is off.
  private mutating func setPrice(
    of product: FakeProduct, _ info: RenewalInfo, after current: Transaction, _ subscriber: Subscriber
  ) {
    guard info.autoRenewStatus == true, let date = current.expiresDate else { return }
    var next = Transaction(
      transactionID: current.transactionID, originalTransactionID: current.originalTransactionID,
      productID: product.id, purchaseDate: date, expiresDate: date)
    next.promotionalOfferID = info.promotionalOfferID
    guard let micros = subscriber.micros(of: next) else { return }
    let store = subscriber.storefront
    (renewalPrice, currency) = (store.price(ofCatalogMicros: micros), store.currency.rawValue)
  }
}

extension FakeProduct {
  func offer(of row: Transaction) -> SignedOffer? {
    let name = row.offerCodeRefName
    switch row.kind {
    case .trial where name != nil: return SignedOffer(3, name, "FREE_TRIAL", Period(1, .month))
    case .trial: return SignedOffer(1, nil, "FREE_TRIAL", trial ?? period)
    case .intro:
      let length = introPeriod ?? period
      return SignedOffer(1, nil, length.unit == .year ? "PAY_UP_FRONT" : "PAY_AS_YOU_GO", length)
    case .code: return SignedOffer(3, name, "PAY_AS_YOU_GO", period)
    case .promo: return SignedOffer(2, row.promotionalOfferID, "PAY_AS_YOU_GO", period)
    case .winback: return SignedOffer(4, row.terms?.winBackOfferID, "PAY_AS_YOU_GO", period)
    case .standard, nil: return nil
    }
  }
}

/// Offer of a period in the format of signed data.
struct SignedOffer: Hashable, Sendable {
  /// *App Store Server API › offerType*: 1 introductory, 2 promotional, 3 code, 4 win-back.
  let type: Int
  let identifier: String?
  let discount: String
  let period: Period

  fileprivate init(_ type: Int, _ identifier: String?, _ discount: String, _ period: Period) {
    (self.type, self.identifier, self.discount, self.period) = (type, identifier, discount, period)
  }
}
