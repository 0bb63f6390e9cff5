import Subscriptions

/// Restriction of the figures to a product, a storefront, an offer, or a combination of these.
struct Narrowing: Hashable, Sendable {
  var product: ProductID?
  var storefront = StorefrontScope.all
  /// Offer of the first payment, for the cohorts panel only.
  var offer = OfferScope.all

  var isEmpty: Bool { self == Narrowing() }

  func supported(by panel: Panel?) -> Narrowing {
    var supported = self
    if panel?.hasStorefronts != true { supported.storefront = .all }
    if panel != .cohorts { supported.offer = .all }
    return supported
  }

  mutating func clear(supportedBy panel: Panel?) {
    let supported = supported(by: panel)
    if supported.product != nil { product = nil }
    if supported.storefront != .all { storefront = .all }
    if supported.offer != .all { offer = .all }
  }

  /// Returns words such as `pro.monthly, DEU, offer code FAIR26`.
  func words(_ products: ProductNames) -> String {
    [
      product.map(products.name), storefront == .all ? nil : storefront.words,
      offer == .all ? nil : offer.words,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension StorefrontScope {
  var words: String {
    switch self {
    case .all: "every storefront"
    case .only(let storefront): storefront?.rawValue ?? "storefront unknown"
    }
  }

  var text: String {
    switch self {
    case .all: "all"
    case .only(let storefront): storefront?.rawValue ?? "unknown"
    }
  }
}

extension OfferScope {
  var words: String {
    switch self {
    case .all: "every offer"
    case .kind(let kind): kind.words
    case .offer(let kind, let name): "\(kind.words) \(name)"
    }
  }
}

struct NarrowingChoices: Hashable, Sendable {
  private(set) var storefronts: [StorefrontScope] = []
  private(set) var offers: [OfferScope] = []

  init(_ origins: [CohortOrigin] = []) {
    let codes = Set(origins.map(\.storefront))
    if codes != [nil] {
      storefronts = codes.sorted { ($0?.rawValue ?? "~") < ($1?.rawValue ?? "~") }.map { .only($0) }
    }
    let kinds = Set(origins.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
    offers = kinds.flatMap { kind in
      let names = Set(origins.filter { $0.kind == kind }.compactMap(\.offer)).sorted()
      return [OfferScope.kind(kind)] + names.map { .offer(kind, $0) }
    }
  }
}
