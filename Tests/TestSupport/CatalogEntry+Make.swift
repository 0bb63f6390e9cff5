import Subscriptions

extension CatalogEntry {
  /// Price in micros, by default of US dollars and always valid.
  public static func make(
    _ product: String, _ micros: Int64, period: Period = Period(1, .month), offer: Offer = .standard,
    group: String? = nil, level: Int? = nil, currency: String = "USD", from: Instant? = nil
  ) -> CatalogEntry {
    CatalogEntry(
      productID: ProductID(product), subscriptionGroupID: group.map(SubscriptionGroupID.init), level: level,
      period: period, offer: offer, price: Money(micros: micros, currency: CurrencyCode(currency)),
      validFrom: from)
  }
}
