/// Offer of a catalogue entry, as the `offer` column spells it.
public enum Offer: Hashable, Sendable {
  case standard
  case trial
  case intro
  case promo(String)
  case code(String)

  public init?(parsing text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.dropFirst().first) {
    case ("", nil): self = .standard
    case ("trial", nil): self = .trial
    case ("intro", nil): self = .intro
    case ("promo", let id?) where !id.isEmpty && !BlankValue.isBlank(id): self = .promo(id)
    case ("code", let name?) where !name.isEmpty && !BlankValue.isBlank(name): self = .code(name)
    default: return nil
    }
  }

  public var text: String {
    switch self {
    case .standard: ""
    case .trial: "trial"
    case .intro: "intro"
    case .promo(let id): "promo:\(id)"
    case .code(let name): "code:\(name)"
    }
  }
}

/// Price of a product and offer from a date on.
public struct CatalogEntry: Hashable, Sendable {
  public var productID: ProductID
  public var subscriptionGroupID: SubscriptionGroupID?
  /// Rank in the group; 1 is the highest.
  public var level: Int?
  public var period: Period
  public var offer: Offer
  public var price: Money
  /// `nil` means always.
  public var validFrom: Instant?

  public init(
    productID: ProductID, subscriptionGroupID: SubscriptionGroupID?, level: Int?, period: Period,
    offer: Offer,
    price: Money, validFrom: Instant?
  ) {
    self.productID = productID
    self.subscriptionGroupID = subscriptionGroupID
    self.level = level
    self.period = period
    self.offer = offer
    self.price = price
    self.validFrom = validFrom
  }
}

extension CatalogEntry {
  fileprivate var sortKey: (Instant, String) { (validFrom ?? .distantPast, offer.text) }
}

/// Dated prices, groups and levels, which receipts do not contain.
public struct Catalog: Hashable, Sendable {
  private var entries: [ProductID: [CatalogEntry]] = [:]
  public var exchange: ExchangeRates?

  public static let empty = Catalog([])

  public init(_ list: [CatalogEntry]) {
    for entry in list { entries[entry.productID, default: []].append(entry) }
    for product in entries.keys {
      entries[product]?.sort { $0.sortKey < $1.sortKey }
    }
  }

  public func group(of product: ProductID) -> SubscriptionGroupID? {
    entries[product]?.lazy.compactMap(\.subscriptionGroupID).last
  }

  public func level(of product: ProductID) -> Int? {
    entries[product]?.lazy.compactMap(\.level).last
  }

  public func period(of product: ProductID) -> Period? {
    entries[product]?.last { $0.offer == .standard }?.period
  }

  public func standardPrice(of product: ProductID, at t: Instant) -> Money? {
    entries[product]?.last { $0.offer == .standard && ($0.validFrom ?? .distantPast) <= t }?.price
  }

  public func conversion(of currency: CurrencyCode, at purchase: Instant) -> Conversion {
    exchange?.conversion(of: currency, at: purchase) ?? .none
  }

  /// Returns the newest entry that is valid at the purchase (METRICS §4, Price).
  ///
  /// A trial without an entry of its own costs 0, in the currency and for the period of the standard entry.
  public func entry(for transaction: Transaction) -> CatalogEntry? {
    if let entry = listing(of: transaction) { return entry }
    guard offer(of: transaction) == .trial, let known = entries[transaction.productID],
      var free = newest(.standard, of: transaction) ?? known.first
    else { return nil }
    free.offer = .trial
    free.price = Money(micros: 0, currency: free.price.currency)
    return free
  }

  func listing(of transaction: Transaction) -> CatalogEntry? {
    offer(of: transaction).flatMap { newest($0, of: transaction) }
  }

  private func offer(of transaction: Transaction) -> Offer? {
    isListedAsTrial(transaction) ? .trial : transaction.offer
  }

  /// Whether an offer signed without a discount type and price is a trial, because the product has a listed
  /// trial but no listed introductory price (METRICS §2).
  func isListedAsTrial(_ transaction: Transaction) -> Bool {
    guard let terms = transaction.terms, terms.offerType != nil, terms.offerDiscountType == nil,
      terms.price == nil, transaction.kind != nil, let known = entries[transaction.productID]
    else { return false }
    return known.contains { $0.offer == .trial } && !known.contains { $0.offer == .intro }
  }

  private func newest(_ offer: Offer, of transaction: Transaction) -> CatalogEntry? {
    entries[transaction.productID]?.last {
      ($0.validFrom ?? .distantPast) <= transaction.purchaseDate && $0.offer == offer
    }
  }
}

extension Transaction {
  /// `nil` for one-time purchases, and for win-back offers, since Apple signs their price.
  public var offer: Offer? {
    switch kind {
    case nil: nil
    case .trial: .trial
    case .intro: .intro
    case .code: offerCodeRefName.map(Offer.code)
    case .promo: promotionalOfferID.map(Offer.promo)
    case .standard: .standard
    case .winback: nil
    }
  }
}
