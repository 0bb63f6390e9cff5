import Subscriptions

/// Purchase in the terms of Apple's reports; amounts are in hundredths of the currency's unit.
struct ReportedPurchase: Sendable {
  let offer: SignedOffer?
  /// Subscription product; `nil` for one-time purchases.
  let plan: FakeProduct?
  let isRenewal: Bool
  let billed, bought, expires: Instant
  /// Instants of the refund and of the upgrade; `distantFuture` if there is none.
  let refunded, replaced: Instant
  let price: Int64
  private let subscriber: Subscriber
  private let product: ProductID
  private let refundedShare: Int64
  /// Whether Apple takes 15 % instead of 30 %, after a year of paid service.
  private let isPastFirstYear: Bool

  init(_ row: LifeRow, of subscriber: Subscriber, billed: Instant, isPastFirstYear: Bool = false) {
    let transaction = row.transaction
    (self.subscriber, self.billed, self.isPastFirstYear) = (subscriber, billed, isPastFirstYear)
    (product, isRenewal, bought) = (transaction.productID, row.isRenewal, transaction.purchaseDate)
    plan = FakeCatalog.product(product)
    offer = plan?.offer(of: transaction)
    expires = transaction.expiresDate ?? bought
    refunded = transaction.isTakenBack ? max(row.cancelledFrom, billed) : .distantFuture
    replaced = transaction.isUpgraded ? max(row.upgradedFrom, billed) : .distantFuture
    refundedShare = transaction.refundedShare ?? 100_000
    // Prices have at most two decimals.
    let micros = subscriber.micros(of: transaction) ?? 0
    price = subscriber.storefront.price(ofCatalogMicros: micros) * transaction.quantity / 10
  }

  struct Charge {
    /// Negative for refunds and upgrade credits.
    let amount: Int64
    let units: Int
    let billed, dated: Instant
  }

  func charges(until known: Instant) -> [Charge] {
    var charges = [Charge(amount: price, units: 1, billed: billed, dated: bought)]
    if refunded <= known, price > 0 {
      let amount = Self.rounded(price, times: refundedShare, over: 100_000)
      charges.append(Charge(amount: -amount, units: -1, billed: refunded, dated: refunded))
    }
    if replaced <= known, expires > bought {
      let from = max(replaced, bought)
      // The credit covers whole days only.
      let unused: Int64 = (expires - from) / Milliseconds.day * Milliseconds.day
      let amount = Self.rounded(price, times: unused, over: expires - bought)
      if amount > 0 { charges.append(Charge(amount: -amount, units: 0, billed: replaced, dated: from)) }
    }
    return charges
  }

  /// Returns the developer's share of an amount, after tax and commission.
  func proceeds(of amount: Int64) -> Int64 {
    let tax = Self.taxes[subscriber.storefront.country] ?? 0
    return Self.rounded(amount, times: isPastFirstYear ? 850 : 700, over: 1000 + tax)
  }

  /// Invented but realistic taxes that prices include, by country, per mille of the price before tax.
  private static let taxes: [String: Int64] = [
    "AUS": 100, "CHE": 81, "DEU": 190, "GBR": 200, "IND": 180, "JPN": 100, "MEX": 160, "POL": 230, "SWE": 250,
  ]

  private static func rounded(_ amount: Int64, times numerator: Int64, over denominator: Int64) -> Int64 {
    Int64(roundedHalfToEven(Int128(amount) * Int128(numerator), over: Int128(denominator)))
  }

  private static let places: [ProductID: Int64] = {
    let ids = FakeCatalog.products.map(\.id) + FakeCatalog.consumables + [FakeCatalog.nonConsumable]
    return Dictionary(uniqueKeysWithValues: zip(ids, Int64(1)...))
  }()

  /// Values about the product, the customer and the offer, by the column names of all reports.
  var fields: [String: String] {
    let (app, store) = (FakeCatalog.appleID(of: subscriber.bundleID), subscriber.storefront)
    // The ids of two apps are 100 apart.
    let id = String(app + (Self.places[product] ?? 99))
    let title = product.rawValue.split(separator: ".").suffix(2).joined(separator: " ").titled
    let (country, currency) = (StorefrontCode(store.country).territory, store.currency.rawValue)
    var fields = [
      "Provider": "APPLE", "Provider Country": "US", "App Name": "Lumen", "App Apple ID": String(app),
      "Parent Identifier": subscriber.bundleID.rawValue, "SKU": product.rawValue, "Title": title,
      "Apple Identifier": id, "Subscription Name": title, "Subscription Apple ID": id,
      "Product Type Identifier": plan == nil ? "IA1" : "IAY", "Country": country, "Country Code": country,
      "Country of Sale": country, "Customer Currency": currency, "Currency of Proceeds": currency,
      "Proceeds Currency": currency, "Partner Share Currency": currency,
      "Customer Price": price.decimal, "Developer Proceeds": proceeds(of: price).decimal,
      "Device": SplitMix64.mixed(UInt64(subscriber.index)) % 5 == 0 ? "iPad" : "iPhone",
    ]
    if isPastFirstYear { fields["Proceeds Reason"] = "Rate After One Year" }
    if let plan {
      fields["Subscription Group ID"] = plan.group.rawValue
      fields["Standard Subscription Duration"] = plan.period.words.titled
      fields["Subscription"] = isRenewal ? "Renewal" : "New"
    }
    if let offer {
      fields["Subscription Offer Name"] = offer.identifier
      fields["Subscription Offer Type"] = offer.way
      fields["Subscription Offer Duration"] = offer.period.words.titled
      fields["Order Type"] = "\(offer.way) \(offer.type == 1 ? "Intro Offer" : offer.family)"
    }
    return fields
  }

  var subscriberID: String {
    String(1_000_000_000_000 + SplitMix64.mixed(UInt64(subscriber.index) &+ 0x5EED) % 9_000_000_000_000)
  }

  /// Returns the day of the settlement, 0 to 10 days after a sale on `day`, in days since 1970.
  func settled(_ day: Int) -> Int {
    day + Int(SplitMix64.mixed(UInt64(subscriber.index) &* 1024 &+ UInt64(day & 1023)) % 11)
  }
}

extension SignedOffer {
  var way: String {
    discount == "FREE_TRIAL" ? "Free Trial" : discount == "PAY_UP_FRONT" ? "Pay Up Front" : "Pay As You Go"
  }

  var family: String {
    ["Introductory Offer", "Promotional Offer", "Offer Code", "Win-back Offer"][type - 1]
  }

  /// Column that counts the offer in a subscription report.
  var balance: String {
    switch type {
    case 1: "Active \(way) \(family) Subscriptions"
    case 4: "\(way) \(family)s"
    default: "\(way) \(family) Subscriptions"
    }
  }
}

extension Int64 {
  /// Amount in decimals: `-13.47` for -1347 hundredths.
  var decimal: String {
    let cents = String(100 + magnitude % 100).dropFirst()
    return "\(self < 0 ? "-" : "")\(magnitude / 100).\(cents)"
  }
}

extension String {
  fileprivate var titled: String {
    split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
