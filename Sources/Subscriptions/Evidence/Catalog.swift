/// Offer of a catalog entry, from the catalog's column `offer`.
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

/// Price of a product and offer, valid from a date on.
public struct CatalogEntry: Hashable, Sendable {
  public var productID: ProductID
  public var subscriptionGroupID: SubscriptionGroupID?
  /// Rank in the group; 1 is the highest.
  public var level: Int?
  public var period: Period
  public var offer: Offer
  public var price: Money
  /// Start of validity; `nil` if the price has always been valid.
  public var validFrom: Instant?

  public init(
    productID: ProductID, subscriptionGroupID: SubscriptionGroupID?, level: Int?, period: Period,
    offer: Offer, price: Money, validFrom: Instant?
  ) {
    (self.productID, self.subscriptionGroupID, self.level) = (productID, subscriptionGroupID, level)
    (self.period, self.offer, self.price, self.validFrom) = (period, offer, price, validFrom)
  }

  fileprivate var sortKey: (Instant, String) { (validFrom ?? .distantPast, offer.text) }
}

/// Price catalog: dated prices of products and offers, with the products' groups and levels.
public struct Catalog: Hashable, Sendable {
  private var entries: [ProductID: [CatalogEntry]] = [:]
  public var exchange: ExchangeRates?

  public static let empty = Catalog([])

  public init(_ list: [CatalogEntry]) {
    for entry in list { entries[entry.productID, default: []].append(entry) }
    for product in entries.keys { entries[product]?.sort { $0.sortKey < $1.sortKey } }
  }

  public func group(of product: ProductID) -> SubscriptionGroupID? {
    entries[product]?.lazy.compactMap(\.subscriptionGroupID).last
  }

  public func level(of product: ProductID) -> Int? { entries[product]?.lazy.compactMap(\.level).last }

  public func period(of product: ProductID) -> Period? {
    entries[product]?.last { $0.offer == .standard }?.period
  }

  public func standardPrice(of product: ProductID, at t: Instant) -> Money? {
    entries[product]?.last { $0.offer == .standard && ($0.validFrom ?? .distantPast) <= t }?.price
  }

  public func conversion(of currency: CurrencyCode, at purchase: Instant) -> Conversion {
    exchange?.conversion(of: currency, at: purchase) ?? .none
  }

  /// Returns the entry that prices a transaction (METRICS §4, Price).
  ///
  /// A trial without an entry costs 0, in the currency and for the period of the standard or first entry.
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

  /// Whether the offer of a row counts as a trial: it was signed without a discount type or a price, and the
  /// catalog has a trial but no introductory price for the product (METRICS §2).
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
  /// Offer in the catalog; `nil` for one-time purchases, and for win-back offers, which have signed prices.
  public var offer: Offer? {
    switch kind {
    case nil: nil
    case .trial: .trial
    case .intro: .intro
    case .code: self.offerCodeRefName.map(Offer.code)
    case .promo: self.promotionalOfferID.map(Offer.promo)
    case .standard: .standard
    case .winback: nil
    }
  }
}

/// Apple's share of a paid transaction (METRICS §5, Proceeds).
public enum Commission: Hashable, Sendable {
  case standard
  /// A year of paid service in the group precedes the transaction.
  case afterOneYear
  case smallBusiness

  init(isPastFirstYear: Bool, isSmallBusiness: Bool) {
    self = isPastFirstYear ? .afterOneYear : isSmallBusiness ? .smallBusiness : .standard
  }

  public var percent: Int { self == .standard ? 30 : 15 }

  func proceeds(of micros: Int64) -> Int64 {
    Int64(clamping: roundedHalfToEven(Int128(micros) * Int128(100 - percent), over: 100))
  }

  public func proceeds(of price: Money) -> Money {
    Money(micros: proceeds(of: price.single), currency: price.currency)
  }
}

/// Apps' membership in Apple's Small Business Program; configured, because no answer contains it.
public struct SmallBusinessProgram: Hashable, Sendable {
  /// Interval of membership: [from, until).
  public struct Membership: Hashable, Sendable {
    public var from: Instant
    public var until: Instant

    public init(from: Instant = .distantPast, until: Instant = .distantFuture) {
      (self.from, self.until) = (from, until)
    }

    public func contains(_ instant: Instant) -> Bool { instant >= from && instant < until }
  }

  public private(set) var memberships: [BundleID: [Membership]]

  public static let none = SmallBusinessProgram([:])

  public init(_ memberships: [BundleID: [Membership]]) { self.memberships = memberships }

  public func contains(_ app: BundleID?, at instant: Instant) -> Bool {
    guard let app else { return false }
    return memberships[app]?.contains { $0.contains(instant) } ?? false
  }

  var instants: [Instant] { memberships.values.joined().flatMap { [$0.from, $0.until] } }

  /// Splits (start, end] where memberships begin or end, and returns the last instant of each part.
  func parts(after start: Instant, through end: Instant) -> [Instant] {
    Set(instants.filter { $0 > start + 1 && $0 <= end }.map { $0 - 1 }).sorted() + [end]
  }
}

extension Row {
  public func commission(app: BundleID?, program: SmallBusinessProgram) -> Commission? {
    guard kind.isPaid else { return nil }
    return Commission(isPastFirstYear: isPastFirstYear, isSmallBusiness: program.contains(app, at: purchase))
  }

  /// Milliseconds that daylight saving took from a completed yearly period, at most an hour; otherwise 0.
  fileprivate var lackingOfYear: Int64 {
    let lacking = firstYear - (expiresUnextended - purchase)
    return effectiveEnd >= expiresUnextended && lacking > 0 && lacking <= Milliseconds.hour ? lacking : 0
  }
}

/// Milliseconds of paid service after which Apple's share is reduced.
private let firstYear = 365 * Milliseconds.day

extension [Row] {
  /// Sets `isPastFirstYear` of ordered rows: whether a paid row follows a year of paid, unrefunded service.
  ///
  /// A gap of more than 60 days makes the count begin again.
  mutating func countPaidService() {
    var paid: Int64 = 0
    var (end, paidUntil): (Instant?, Instant?)
    for index in indices {
      let (purchase, effectiveEnd, isPaid) = (
        self[index].purchase, self[index].effectiveEnd, self[index].kind.isPaid
      )
      if let end, purchase > end + 60 * Milliseconds.day { paid = 0 }
      self[index].isPastFirstYear = isPaid && paid >= firstYear
      if isPaid, !self[index].isRefund {
        // Time that overlaps an earlier paid period counts once.
        let from = paidUntil.map { Swift.max($0, purchase) } ?? purchase
        let until = Swift.min(effectiveEnd, self[index].expiresUnextended)
        paid += Swift.max(0, until - from) + self[index].lackingOfYear
        paidUntil = Swift.max(from, until)
      }
      end = Swift.max(end ?? effectiveEnd, effectiveEnd)
    }
  }
}
