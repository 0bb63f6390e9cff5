/// What a period was bought with, as the catalogue's `offer` column spells it.
public enum Offer: Hashable, Sendable {
  case standard
  case trial
  case intro
  case promo(String)
  case code(String)

  /// Reads the catalogue's spelling; nil for anything else.
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

/// One dated price of one product and offer.
public struct CatalogEntry: Hashable, Sendable {
  public var productID: ProductID
  public var subscriptionGroupID: SubscriptionGroupID?
  /// Rank in the group; 1 is the highest.
  public var level: Int?
  public var period: Period
  public var offer: Offer
  public var price: Money
  /// Nil means always.
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
  /// The older first; offers in one order whatever the order of the list.
  fileprivate var sortKey: (Instant, String) { (validFrom ?? .distantPast, offer.text) }
}

/// The dated prices, groups and levels that receipts do not carry.
public struct Catalog: Hashable, Sendable {
  private var entries: [ProductID: [CatalogEntry]] = [:]
  /// What prices are worth in the reporting currency; nil where there is none.
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

  /// The product's standard duration.
  public func period(of product: ProductID) -> Period? {
    entries[product]?.last { $0.offer == .standard }?.period
  }

  /// What the product costs without an offer at an instant; nil is unpriced.
  public func standardPrice(of product: ProductID, at t: Instant) -> Money? {
    entries[product]?.last { $0.offer == .standard && ($0.validFrom ?? .distantPast) <= t }?.price
  }

  public func conversion(of currency: CurrencyCode, at purchase: Instant) -> Conversion {
    exchange?.conversion(of: currency, at: purchase) ?? .none
  }

  /// METRICS §4, Price: the entry with the greatest `valid_from` that is not after the purchase; nil is unpriced.
  ///
  /// A trial without an entry of its own costs nothing, in the currency and for the period of the standard entry.
  public func entry(for transaction: Transaction) -> CatalogEntry? {
    if let entry = listing(of: transaction) { return entry }
    guard offer(of: transaction) == .trial, let known = entries[transaction.productID],
      var free = newest(.standard, of: transaction) ?? known.first
    else { return nil }
    free.offer = .trial
    free.price = Money(micros: 0, currency: free.price.currency)
    return free
  }

  /// The entry of the transaction's own offer.
  func listing(of transaction: Transaction) -> CatalogEntry? {
    offer(of: transaction).flatMap { newest($0, of: transaction) }
  }

  private func offer(of transaction: Transaction) -> Offer? {
    isListedAsTrial(transaction) ? .trial : transaction.offer
  }

  /// METRICS §2: whether an offer that was signed with neither a discount type nor a price is a trial, since the product is listed with
  /// a trial and without an introductory price.
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
  /// What the catalogue lists this row under; nil for one-time purchases, and for win-back offers, whose price Apple signs.
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
