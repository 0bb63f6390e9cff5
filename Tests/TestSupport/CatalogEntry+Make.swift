import Subscriptions

extension CatalogEntry {
  /// Returns an entry with a price in micros, by default in US dollars and valid at all times.
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
