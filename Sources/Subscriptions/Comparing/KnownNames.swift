/// Products, storefronts and other names in the store, for finding typing errors in a question.
public struct KnownNames: Hashable, Sendable {
  public var products: Set<ProductID> = []
  public var storefronts: Set<StorefrontCode> = []
  /// Offers that lines were first paid with, and the kinds of these offers.
  public var offers: Set<OfferScope> = []
  public var environments: Set<StoreEnvironment> = []
  public var currencies: Set<CurrencyCode> = []

  public init() {}
}

extension Question {
  public func unknown(among known: KnownNames) -> [Comparison.Unknown] {
    var unknown = products.subtracting(known.products).sorted().map(Comparison.Unknown.product)
    if case .only(let storefront?) = storefronts, !known.storefronts.contains(storefront) {
      unknown.append(.storefront(storefront))
    }
    if offers != .all, !known.offers.contains(offers) { unknown.append(.offer(offers)) }
    return unknown
  }
}

extension Comparison {
  public enum Unknown: Hashable, Sendable {
    case product(ProductID)
    case storefront(StorefrontCode)
    case offer(OfferScope)
    case environment(EnvironmentScope)
  }

  public func unknown(among known: KnownNames) -> Unknown? {
    switch self {
    case .before, .year, .cohorts: return nil
    case .offers(let first, let second):
      return [first, second].compactMap(\.self).first { !known.offers.contains($0) }.map(Unknown.offer)
    case .products(let first, let second):
      return [first, second].compactMap(\.self).first { !known.products.contains($0) }.map(Unknown.product)
    case .storefronts(let first, let second):
      return [first, second].compactMap(\.self).first { !known.storefronts.contains($0) }
        .map(Unknown.storefront)
    case .environment(let environment):
      return known.environments.contains(where: environment.contains) ? nil : .environment(environment)
    }
  }
}
