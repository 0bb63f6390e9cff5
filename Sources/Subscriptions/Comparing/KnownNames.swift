/// The products, storefronts, offers, environments and currencies that there is anything of: what else one asks about is a slip.
public struct KnownNames: Hashable, Sendable {
  public var products: Set<ProductID> = []
  public var storefronts: Set<StorefrontCode> = []
  /// By which lines were first paid, each with its kind's.
  public var offers: Set<OfferScope> = []
  public var environments: Set<StoreEnvironment> = []
  /// Of what was bought.
  public var currencies: Set<CurrencyCode> = []

  public init() {}
}

extension Question {
  /// Products, storefronts and offers that it names and nobody ever bought.
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
  /// Something that a comparison names and nothing is known of.
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
