import Subscriptions

/// What alone is shown, where not everything is.
struct Narrowing: Hashable, Sendable {
  /// Nil shows every product.
  var product: ProductID?
  /// As far as a panel tells them apart.
  var storefront = StorefrontScope.all
  /// Of cohorts: the offer that lines were first paid by.
  var offer = OfferScope.all

  var isEmpty: Bool { self == Narrowing() }

  /// As much of it as a panel can be narrowed to.
  func told(by panel: Panel?) -> Narrowing {
    var told = self
    if panel?.tellsStorefronts != true { told.storefront = .all }
    if panel != .cohorts { told.offer = .all }
    return told
  }

  /// Without as much of it as a panel can be narrowed to.
  mutating func clear(toldBy panel: Panel?) {
    let told = told(by: panel)
    if told.product != nil { product = nil }
    if told.storefront != .all { storefront = .all }
    if told.offer != .all { offer = .all }
  }

  /// `pro.monthly, DEU, offer code FAIR26`
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

  /// As it is typed.
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

/// What there is to choose from besides products.
struct NarrowingChoices: Hashable, Sendable {
  private(set) var storefronts: [StorefrontScope] = []
  private(set) var offers: [OfferScope] = []

  init() {}

  /// - Parameter origins: as what lines were first paid.
  init(_ origins: [CohortOrigin]) {
    let codes = Set(origins.map(\.storefront))
    // What nobody tells apart need not be chosen from.
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
