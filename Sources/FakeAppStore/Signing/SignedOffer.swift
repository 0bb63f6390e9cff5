import Subscriptions

/// What a period was bought with, as signed data says it: *App Store Server API › offerType*.
struct SignedOffer {
  /// 1 introductory, 2 promotional, 3 an offer code, 4 a win-back offer.
  let type: Int64
  let identifier: String?
  let discountType: String
  let period: Period

  /// Nil of what was bought without an offer.
  init?(of row: Transaction) {
    guard let product = FakeCatalog.products.first(where: { $0.id == row.productID }) else { return nil }
    switch row.kind {
    case .trial:
      type = row.offerCodeRefName == nil ? 1 : 3
      identifier = row.offerCodeRefName
      discountType = "FREE_TRIAL"
      period = row.offerCodeRefName == nil ? product.trial ?? product.period : Period(1, .month)
    case .intro:
      (type, identifier) = (1, nil)
      period = product.introPeriod ?? product.period
      discountType = period.unit == .year ? "PAY_UP_FRONT" : "PAY_AS_YOU_GO"
    case .code:
      (type, identifier, discountType, period) = (3, row.offerCodeRefName, "PAY_AS_YOU_GO", product.period)
    case .promo:
      (type, identifier) = (2, row.promotionalOfferID)
      (discountType, period) = ("PAY_AS_YOU_GO", product.period)
    case .winback:
      (type, identifier) = (4, row.terms?.winBackOfferID)
      (discountType, period) = ("PAY_AS_YOU_GO", product.period)
    case .standard, nil: return nil
    }
  }

  /// A promotional offer for the next renewal, or for who comes back.
  init(promotion: String, of product: FakeProduct) {
    (type, identifier, discountType, period) = (2, promotion, "PAY_AS_YOU_GO", product.period)
  }
}

extension AppleJSONWriter {
  mutating func offer(_ offer: SignedOffer) {
    value("offerType", offer.type)
    member("offerIdentifier", offer.identifier)
    member("offerDiscountType", offer.discountType)
    member("offerPeriod", offer.period.iso8601)
  }
}
