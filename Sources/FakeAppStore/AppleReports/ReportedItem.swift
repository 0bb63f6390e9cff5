import Subscriptions

/// Product, price and offer of a purchase in the words of Apple's reports, with the customer's country.
struct ReportedItem: Hashable, Sendable {
  let app: BundleID
  let product: ProductID
  let offer: SignedOffer?
  let country: String
  let currency: String
  let device: String
  /// Whether Apple takes 15 % because of a year of paid service before, instead of 30 %.
  let isPastFirstYear: Bool
  /// Price and proceeds in hundredths of the currency's unit.
  let price: Int64
  let proceeds: Int64

  init(_ row: Transaction, of subscriber: Subscriber, isPastFirstYear: Bool = false) {
    let store = subscriber.storefront
    (app, product) = (subscriber.bundleID, row.productID)
    offer = FakeCatalog.product(product)?.offer(of: row)
    (country, currency) = (StorefrontCode(store.country).territory, store.currency.rawValue)
    self.isPastFirstYear = isPastFirstYear
    device = SplitMix64.mixed(UInt64(subscriber.index)) % 5 == 0 ? "iPad" : "iPhone"
    // Prices have at most two decimals.
    price = store.price(ofCatalogMicros: subscriber.micros(of: row) ?? 0) * row.quantity / 10
    let share: Int64 = isPastFirstYear ? 850 : 700
    proceeds = Self.rounded(price, times: share, over: 1000 + (Self.taxes[store.country] ?? 0))
  }

  /// Taxes that prices include, per mille: invented, but of the right order.
  private static let taxes: [String: Int64] = [
    "AUS": 100, "CHE": 81, "DEU": 190, "GBR": 200, "IND": 180, "JPN": 100, "MEX": 160, "POL": 230, "SWE": 250,
  ]

  static func rounded(_ amount: Int64, times numerator: Int64, over denominator: Int64) -> Int64 {
    Int64(roundedHalfToEven(Int128(amount) * Int128(numerator), over: Int128(max(1, denominator))))
  }

  private static let places: [ProductID: Int64] = {
    let ids = FakeCatalog.products.map(\.id) + FakeCatalog.consumables + [FakeCatalog.nonConsumable]
    return Dictionary(uniqueKeysWithValues: zip(ids, Int64(1)...))
  }()

  /// `nil` for one-time purchases.
  var plan: FakeProduct? { FakeCatalog.product(product) }
  var type: String { plan == nil ? "IA1" : "IAY" }
  /// Apple's id of the product. The ids of two apps are 100 apart.
  var appleID: String { String(FakeCatalog.appleID(of: app) + (Self.places[product] ?? 99)) }
  /// `Pro Monthly`
  var title: String { product.rawValue.split(separator: ".").suffix(2).joined(separator: " ").titled }

  /// Columns from *App Name* to *Standard Subscription Duration*.
  var subscription: [String] {
    let app = ["Lumen", String(FakeCatalog.appleID(of: app))]
    return app + [title, appleID, plan?.group.rawValue ?? "", plan?.period.reported ?? ""]
  }

  /// *Subscription Offer Name* and *Promotional Offer ID*.
  var offerNames: [String] {
    guard let offer, let name = offer.identifier else { return [" ", " "] }
    return [name, offer.type == 3 ? " " : name]
  }

  var proceedsReason: String { isPastFirstYear ? "Rate After One Year" : " " }
}

/// Sale, refund or upgrade credit.
struct ReportedCharge: Sendable {
  enum Kind: Sendable { case sale, refund, credit }

  let kind: Kind
  let item: ReportedItem
  /// Price, or the refunded part of it, in hundredths.
  let amount: Int64
  /// Index of the subscriber.
  let customer: Int
  let isRenewal: Bool
  /// Day of the report, on which Apple billed, and day of the event, which can be the next one.
  let day: Int
  let eventDay: Int
  let purchased: Int

  /// Day of the settlement, 0 to 10 days later.
  var settled: Int {
    let number = SplitMix64.mixed(UInt64(customer) &* 1024 &+ UInt64(day & 1023))
    return day + Int(number % 16 < 8 ? 0 : number % 16 < 14 ? 1 : (number >> 8 & 0xFFFF) % 11)
  }
}

/// Event of a subscription, before equal ones are added up.
struct ReportedEvent: Sendable {
  let name: String
  let item: ReportedItem
  let customer: Int
  let day: Int
  let eventDay: Int
  /// Offer of the subscription, which remains on later renewals.
  let offer: SignedOffer?
  let paidPeriods: Int
  let started: Int
  /// Product before an upgrade, downgrade or crossgrade.
  var previous: ReportedItem?
  var reason: String?
}

/// Subscription that is counted at the end of a day, in one of the columns of counts.
struct ReportedBalance: Hashable, Sendable {
  let item: ReportedItem
  let column: Int
}

extension SignedOffer {
  var isFree: Bool { discount == "FREE_TRIAL" }

  /// Place of the discount among Apple's three.
  private var place: Int { isFree ? 0 : discount == "PAY_UP_FRONT" ? 1 : 2 }

  /// Place among the counts of a subscription report.
  var column: Int { [1, 4, 7, 14][type - 1] + place }

  var family: String {
    ["Introductory Offer", "Promotional Offer", "Offer Code", "Win-back Offer"][type - 1]
  }

  /// *Order Type* of a sales report.
  var orderType: String {
    ["Free Trial", "Pay Up Front", "Pay As You Go"][place] + " " + (type == 1 ? "Intro Offer" : family)
  }

  /// *Subscription Offer Type* and *Subscription Offer Duration*.
  var columns: [String] {
    [
      ["Free Trial", "Pay up front", "Pay as you go"][place],
      period == Period(1, .week) ? "1 Week" : period.reported,
    ]
  }
}

extension Period {
  /// `7 Days`, `1 Month`
  var reported: String { self == Period(1, .week) ? "7 Days" : words.titled }
}

extension String {
  fileprivate var titled: String {
    split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
