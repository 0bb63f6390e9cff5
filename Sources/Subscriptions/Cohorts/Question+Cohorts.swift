extension Question {
  public func includes(_ origin: CohortOrigin) -> Bool {
    environment.contains(origin.environment) && includes(origin.product, origin.storefront)
      && offers.contains(origin.kind, origin.offer)
  }

  /// Whether it asks for cohorts whatever their lines were first paid as.
  public var isOfEveryOrigin: Bool { products.isEmpty && storefronts == .all && offers == .all }
}
